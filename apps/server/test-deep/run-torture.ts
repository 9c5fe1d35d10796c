import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Finished } from '../test/harness.ts';

const TORTURE = new URL('../torture/torture.mjs', import.meta.url).pathname;

/** Runs the torture to its end. */
export async function runTorture(args: readonly string[]): Promise<Finished> {
  const child = spawn(process.execPath, [TORTURE, ...args]);
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (error += chunk));
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, error };
}
