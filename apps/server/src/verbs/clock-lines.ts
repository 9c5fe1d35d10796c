import { createSystemClock } from '@svc/core';
import type { RuntimeState } from '@svc/ops';
import { createServerCaller } from '../call-server.ts';
import type { Environment } from '../instance.ts';
import { readInstanceFile } from '../instance-file.ts';
import { createZoneHost } from '../zone-host.ts';

/** What clocks and zone data do to triggers: of the host, and of each trigger of a running server. */
export async function clockLines(instanceFile: string, env: Environment): Promise<string[]> {
  const host = createZoneHost(env, () => {});
  const data = (await host.hasData())
    ? 'that of the host is compared with that of Node at each start'
    : 'the host has none, so that of Node is compared with nothing';
  return [
    `zone data: ${data} (${process.versions['tz'] ?? 'unknown'})`,
    ...(await told(instanceFile)),
  ];
}

type Ask = ReturnType<typeof createServerCaller>;

async function told(instanceFile: string): Promise<string[]> {
  const server = await readInstanceFile(instanceFile).catch(() => null);
  if (server === null) return [];
  const again = () => readInstanceFile(instanceFile);
  const ask = createServerCaller(server, createSystemClock(), again);
  const lines: string[] = [];
  for (const slug of await slugsIn(ask)) {
    const path = `/api/projects/${encodeURIComponent(slug)}/triggers/runtime`;
    const { runtime } = await bodyOf<{ runtime: RuntimeState[] }>(ask, path, { runtime: [] });
    for (const { name, clock, zoneData } of runtime) {
      for (const part of [clock, zoneData]) {
        if (part !== undefined) lines.push(`${slug} ${name}: ${part.message}`);
      }
    }
  }
  return lines;
}

async function slugsIn(ask: Ask): Promise<string[]> {
  const { projects } = await bodyOf<{ projects: { slug: string }[] }>(ask, '/api/projects', {
    projects: [],
  });
  return projects.map(({ slug }) => slug);
}

async function bodyOf<T>(ask: Ask, path: string, none: T): Promise<T> {
  const answer = await ask('GET', path).catch(() => null);
  return answer?.status === 200 ? (answer.body as T) : none;
}
