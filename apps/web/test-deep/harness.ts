import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { restOf } from './rest.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

export { eventually } from './service.ts';

/** The options of the service of a test file. */
interface HomeOptions extends ServiceOptions {
  /** Entries that are added to `triggers` of the sample project. */
  readonly triggers?: string;
  /** Whether the triggers of the sample project fire on schedule, as after `svc init`. Default: true. */
  readonly fires?: boolean;
}

/**
 * Starts a service for the tests of a file or a block, on a home with the sample project; it is removed after them.
 */
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
    /** Replaces the file atomically: an editor keeps the old content until everything is written. */
    write: async (text: string) => {
      await writeFile(`${path()}.new`, text);
      await rename(`${path()}.new`, path());
    },
    rest: restOf(() => service.url),
    stop: () => service.stop(),
    /** Starts the service again, on the same home and at the same address. */
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
