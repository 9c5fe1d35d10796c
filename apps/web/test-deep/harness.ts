import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { restOf } from './rest.ts';

const SERVER = new URL('../../server/bin/svc.js', import.meta.url).pathname;

/** The built service on a home of its own. */
export interface Service {
  readonly url: string;
  readonly home: string;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** How a service is started. */
interface ServiceOptions {
  readonly home?: string;
  readonly port?: string;
  /** Text of svc.config.yaml. Default: what `svc init` writes. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built service; without a home it makes one with the sample project. */
async function startService(options: ServiceOptions = {}): Promise<Service> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'svc-page-')));
  if (options.home === undefined) {
    await once(spawn(process.execPath, [SERVER, 'init', '--home', home]), 'exit');
  }
  if (options.config !== undefined) await writeFile(join(home, 'svc.config.yaml'), options.config);
  const given = ['serve', '--home', home, '--port', options.port ?? '0'];
  const own = { PATH: process.env['PATH'] ?? '', HOME: home, TZ: 'Europe/Berlin' };
  const env = { ...own, ...options.env };
  const child = spawn(process.execPath, [SERVER, ...given], { env });
  return {
    url: await addressOf(child),
    home,
    async stop() {
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

/** What a block of tests starts its service with. */
interface HomeOptions extends ServiceOptions {
  /** Entries that are added to `triggers` of the sample project. */
  readonly triggers?: string;
  /** Whether the sample project fires by itself, as it does when `svc init` has made it. Default: true. */
  readonly fires?: boolean;
}

/** A service for the tests of a file or a block, on a home with the sample project; it is gone after them. */
export function serviceFor(options: HomeOptions | (() => HomeOptions) = {}) {
  let service: Service;
  const path = (): string => join(service.home, 'projects/hello/project.yaml');
  const home = {
    /** The address of a path of the page. */
    at: (address = '/') => `${service.url}${address}`,
    /** The address of a view of the sample project. */
    hello: (address = '') => `${service.url}/projects/hello${address}`,
    folder: () => service.home,
    read: () => readFile(path(), 'utf8'),
    write: (text: string) => writeFile(path(), text),
    rest: restOf(() => service.url),
    stop: () => service.stop(),
    /** Starts it again, on the same home and at the same address. */
    start: async () => {
      service = await startService({ home: service.home, port: new URL(service.url).port });
    },
  };
  beforeAll(async () => {
    const given = typeof options === 'function' ? options() : options;
    service = await startService(given);
    const { triggers = '', fires = true } = given;
    if (triggers === '' && fires) return;
    const text = (await home.read()) + triggers;
    await home.write(fires ? text : text.replace('enabled: true', 'enabled: false'));
  });
  afterAll(async () => {
    await service.stop();
    await service.remove();
  });
  return home;
}

/** Waits until something outside of the page has come about. */
export async function eventually(is: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error('It did not come about within twenty seconds.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
