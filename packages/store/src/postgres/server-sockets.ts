import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Clock, TimerHandle } from '@svc/core';

// A healthy server closes a connection within milliseconds.
const CLOSE_MS = 2000;

/** The sockets of connections that are closed together. */
export interface Sockets {
  create(): Socket;
  /** Destroys all sockets, and new ones too until called with false. */
  cut(isCut: boolean): void;
  /** Closes the connections with `end`, and destroys those that the server has not closed within 2 s. */
  close(end: () => Promise<void>): Promise<void>;
}

/** Tracks sockets so that none outlives its owner: a server that does not respond would keep them open forever. */
export function createSockets(clock: Clock): Sockets {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isClosed = false;
  const cutOff = (isOver: boolean): void => {
    isCut = isOver;
    if (!isCut) return;
    for (const socket of sockets) socket.destroy();
  };
  const allClosed = async (): Promise<void> => {
    for (const socket of sockets) await once(socket, 'close');
  };
  return {
    create() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // The owner connects the socket first.
      if (isCut) process.nextTick(() => socket.destroy());
      return socket;
    },
    cut(isOver) {
      if (!isClosed) cutOff(isOver);
    },
    async close(end) {
      let timer: TimerHandle | null = null;
      const late = new Promise<void>((resolve) => {
        timer = clock.setTimeout(() => {
          isClosed = true;
          cutOff(true);
          resolve();
        }, CLOSE_MS);
      });
      await Promise.race([end().then(allClosed), late]).finally(() => {
        if (timer !== null) clock.clearTimeout(timer);
      });
    },
  };
}
