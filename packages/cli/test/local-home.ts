import { fileURLToPath } from 'node:url';
import { createPromptRemarks } from '@svc/engine';
import { inspectManagement } from '@svc/mgmt-auth';
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
export function createLocalHome(): Pick<
  CommandContext,
  'service' | 'projects' | 'management' | 'limits'
> {
  return {
    service: {
      running: async () => null,
      require: async () => {},
      open: async () => ({ fetch: fetchLocally, close: async () => {} }),
    },
    projects: {
      folder: async () => fileURLToPath(new URL('projects', import.meta.url)),
      rules: async () => ({}),
      promptRemarks: async () =>
        createPromptRemarks({ runtimes: new Map() }, { defaultRuntime: 'native' }),
    },
    management: {
      ...{ settings: null, configFile: '/home/svc.config.yaml', envFile: null },
      report: async () => inspectManagement(null, {}, {}),
    },
    limits: {
      ...{ concurrentTurns: 4, concurrentTurnsPerProject: 2, turnTimeoutMs: 3_600_000 },
      ...{ firesPerDay: null, costPerDayUsd: null },
    },
  };
}
