import type { CommandContext } from '../src/index.ts';

const BODIES: Readonly<Record<string, object>> = {
  '/api/projects': { projects: [{ slug: 'alpha' }, { slug: 'beta' }] },
  '/api/projects/alpha/triggers': { triggers: [], legacySchedules: [], invalid: [] },
  '/api/projects/alpha/triggers/runtime': { runtime: [] },
};

async function fetchLocally({ url }: Request): Promise<Response> {
  const body = BODIES[new URL(url).pathname];
  return body === undefined
    ? Response.json({ error: 'There is no such thing.', code: 'not_found' }, { status: 404 })
    : Response.json(body);
}

/** A home without a server, with two projects and no trigger. */
export function createLocalHome(): Pick<CommandContext, 'service' | 'projectFiles' | 'limits'> {
  return {
    service: {
      running: async () => null,
      require: async () => {},
      open: async () => ({ fetch: fetchLocally, close: async () => {} }),
    },
    projectFiles: {
      find: async () => ['/home/projects/alpha/project.yaml', '/home/projects/beta/project.yaml'],
      read: async () => ({ ok: false, issues: [] }),
    },
    limits: {
      ...{ concurrentTurns: 4, concurrentTurnsPerProject: 2, turnTimeoutMs: 3_600_000 },
      ...{ firesPerDay: null, costPerDayUsd: null },
    },
  };
}
