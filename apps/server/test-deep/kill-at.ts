import { expect } from '@jest/globals';
import { type TestHome, until } from '../test/harness.ts';

const FAULTY = new URL('faulty-server.mjs', import.meta.url).pathname;

/** The address of the server of a home, once it has started. */
export function urlOnceReady(home: TestHome): Promise<string> {
  return until(async () => {
    const file = home.tryRead('data/instance.json');
    const { url: at, pid } = file === '' ? { url: '', pid: 0 } : JSON.parse(file);
    const isUp = pid !== 0 && (await fetch(`${at}/readyz`).catch(() => null))?.status === 200;
    return isUp ? String(at) : null;
  });
}

/** Starts a server that is killed at a given point, and sends it the POST that leads there. */
export async function killAt(home: TestHome, point: string, path: string): Promise<void> {
  const dying = home.node(FAULTY, home.home, point);
  const url = await urlOnceReady(home);
  await fetch(`${url}${path}`, { method: 'POST' }).catch(() => null);
  const finished = await dying;
  expect(finished.signal).toBe('SIGKILL');
  expect(finished.out).toContain(JSON.stringify({ msg: 'fault hit', point }));
}
