import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Clock, TimerHandle } from '@svc/core';

// A server that is well answers a farewell within milliseconds.
const CLOSE_MS = 2000;

/** The sockets of connections that are closed together. */
export interface Sockets {
  create(): Socket;
  /** Cuts off all that there are, and, until it is told otherwise, those that are made. */
  cut(isCut: boolean): void;
  /** Ends the connections by `end`, and cuts off those of which the server has not taken leave within 2 s. */
  close(end: () => Promise<void>): Promise<void>;
}

/** Keeps sockets in view, so that none outlives its owner: a server that does not answer would keep them for ever. */
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
      // Its owner connects it first.
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
