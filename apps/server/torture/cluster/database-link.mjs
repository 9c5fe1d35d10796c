// @ts-check
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A proxy between one server and the database, which can be cut. */
export class DatabaseLink {
  /** @param {string} url address of the database */
  constructor(url) {
    this.target = new URL(url);
    /** @type {Set<import('node:net').Socket>} */
    this.sockets = new Set();
    this.isCut = false;
    this.server = createServer((socket) => this.join(socket));
  }

  /** The address for the server. */
  async open() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = new URL(this.target);
    url.port = String(/** @type {import('node:net').AddressInfo} */ (this.server.address()).port);
    return url.href;
  }

  /** Closes every connection, and accepts none. */
  cut() {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore() {
    this.isCut = false;
  }

  close() {
    this.cut();
    this.server.close();
  }

  /** @param {import('node:net').Socket} socket */
  join(socket) {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const other = connect(Number(this.target.port), this.target.hostname);
    for (const [one, its] of [
      [socket, other],
      [other, socket],
    ]) {
      this.sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.sockets.delete(one);
        its.destroy();
      });
      one.pipe(its);
    }
  }
}
