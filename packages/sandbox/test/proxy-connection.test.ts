import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { success } from '@svc/core';
import type { Outbound } from '../src/index.ts';
import { createProxyConnections } from '../src/network/proxy-connection.ts';

interface Attempt {
  readonly signal: AbortSignal;
  finish(socket: Socket): void;
}

function setup(limit: number) {
  const attempts: Attempt[] = [];
  const outbound: Outbound = {
    open: (_host, _port, signal) =>
      new Promise((resolve) => {
        attempts.push({ signal, finish: (socket) => resolve(success(socket)) });
      }),
    note: () => {},
    record: () => ({ reached: [], refused: [] }),
  };
  return { attempts, connections: createProxyConnections(outbound, limit) };
}

describe('the connections of a proxy', () => {
  it('are limited together with the attempts', async () => {
    const { attempts, connections } = setup(1);
    const client = new Socket();
    const socket = new Socket();
    const first = connections.open(client, 'a.example', 80);
    const tooMany = {
      ok: false,
      error: { kind: 'failed', reason: 'More than 1 connections are open.' },
    };
    expect(await connections.open(client, 'a.example', 80)).toEqual(tooMany);
    attempts[0]?.finish(socket);
    expect(await first).toEqual(success(socket));
    expect(await connections.open(client, 'a.example', 80)).toEqual(tooMany);
    await new Promise((resolve) => socket.destroy().once('close', resolve));
    const next = connections.open(client, 'a.example', 80);
    attempts[1]?.finish(new Socket());
    expect(await next).toMatchObject({ ok: true });
  });

  it('are not kept for a client that is gone', async () => {
    const { attempts, connections } = setup(8);
    const client = new Socket();
    const socket = new Socket();
    const opening = connections.open(client, 'a.example', 80);
    await new Promise((resolve) => client.destroy().once('close', resolve));
    expect(attempts[0]?.signal.aborted).toBe(true);
    attempts[0]?.finish(socket);
    expect(await opening).toBeNull();
    expect(socket.destroyed).toBe(true);
  });

  it('are destroyed when the proxy is closed, also those that open later', async () => {
    const { attempts, connections } = setup(8);
    const client = new Socket();
    const [open, late] = [new Socket(), new Socket()];
    const first = connections.open(client, 'a.example', 80);
    attempts[0]?.finish(open);
    await first;
    const second = connections.open(client, 'a.example', 80);
    connections.close();
    attempts[1]?.finish(late);
    expect(await second).toBeNull();
    expect([open, late, client].every((socket) => socket.destroyed)).toBe(true);
    expect(attempts[1]?.signal.aborted).toBe(true);
    expect(await connections.open(new Socket(), 'a.example', 80)).toBeNull();
    expect(attempts).toHaveLength(2);
  });
});
