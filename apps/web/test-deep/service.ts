import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZONE } from './zone.ts';

const SERVER = new URL('../../server/bin/svc.js', import.meta.url).pathname;

/** The built service on a home of its own. */
export interface Service {
  readonly url: string;
  readonly home: string;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** How a service is started. */
export interface ServiceOptions {
  readonly home?: string;
  readonly port?: string;
  /** Content of svc.config.yaml. Default: what `svc init` writes. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built service; without a home it creates one with the sample project. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'svc-page-')));
  if (options.home === undefined) {
    await once(spawn(process.execPath, [SERVER, 'init', '--home', home]), 'exit');
  }
  if (options.config !== undefined) await writeFile(join(home, 'svc.config.yaml'), options.config);
  const given = ['serve', '--home', home, '--port', options.port ?? '0'];
  const own = { PATH: process.env['PATH'] ?? '', HOME: home, TZ: ZONE };
  const env = { ...own, ...options.env };
  const child = spawn(process.execPath, [SERVER, ...given], { env });
  return {
    url: await addressOf(child),
    home,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${log}`)));
    child.stdout?.on('data', (text) => {
      log += String(text);
      const line = log.split('\n').find((entry) => entry.includes('"msg":"listening"'));
      if (line !== undefined) resolve((JSON.parse(line) as { url: string }).url);
    });
  });
}

const TIMEOUT_MS = 20_000;

/** Waits until a condition outside of the page is met; by default for twenty seconds. */
export async function eventually(
  condition: () => Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`timed out waiting for ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
