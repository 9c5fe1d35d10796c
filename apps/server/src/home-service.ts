import { join } from 'node:path';
import type { HomeService } from '@svc/cli';
import { createSystemClock } from '@svc/core';
import { type Home, requireHome } from './home.ts';
import { createHomeFetch } from './home-server.ts';
import { readInstanceFile } from './instance-file.ts';
import { readLastUse } from './last-use.ts';
import { requireUnshared } from './shared-home.ts';
import type { LocalHomeParts } from './verb-context.ts';

/** Creates the access of commands to the service of a home: through its server, or in this process. */
export function createHomeService(parts: LocalHomeParts): HomeService {
  const { home, settings } = parts;
  const read = () => readInstanceFile(home.instanceFile);
  return {
    async running() {
      const instance = await read();
      if (instance === null) return null;
      const { url } = instance;
      const fetch = createHomeFetch(instance, createSystemClock(), read);
      return { url, fetch, places: () => placesOf(home) };
    },
    async require() {
      if ((await readLastUse(home)) === null) await requireHome(home);
    },
    async open(options) {
      await requireUnshared(home, settings);
      await requireHome(home);
      const { openLocalHome } = await import('./internals.ts');
      return openLocalHome(parts, options);
    },
  };
}

// The server recorded its folder; this command may have other settings.
async function placesOf(home: Home): Promise<string[]> {
  const use = await readLastUse(home);
  if (use?.database === undefined) return [];
  const { database, projects } = use;
  const isInHome = projects === undefined || projects === join(home.root, 'projects');
  return [`Database: ${database}`, ...(isInHome ? [] : [`Projects: ${projects}`])];
}
