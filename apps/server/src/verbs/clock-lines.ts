import type { RuntimeState } from '@svc/ops';
import type { CallServer } from '../call-server.ts';
import type { Environment } from '../instance.ts';
import { createZoneHost } from '../zone-host.ts';
import { callerOfHome } from './home-caller.ts';

/** Problems with clocks and time zone data, of this host and, for each trigger, of a running server. */
export async function clockLines(instanceFile: string, env: Environment): Promise<string[]> {
  const host = createZoneHost(env, null);
  const data = (await host.hasData())
    ? `compared with the host's data at each start`
    : 'not compared, because the host has none';
  return [
    `time zone data: ${process.versions['tz'] ?? 'unknown'}, ${data}`,
    ...(await reportedLines(instanceFile)),
  ];
}

async function reportedLines(instanceFile: string): Promise<string[]> {
  const ask = await callerOfHome(instanceFile);
  if (ask === null) return [];
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

async function slugsIn(ask: CallServer): Promise<string[]> {
  const { projects } = await bodyOf<{ projects: { slug: string }[] }>(ask, '/api/projects', {
    projects: [],
  });
  return projects.map(({ slug }) => slug);
}

async function bodyOf<T>(ask: CallServer, path: string, none: T): Promise<T> {
  const answer = await ask('GET', path).catch(() => null);
  return answer?.status === 200 ? (answer.body as T) : none;
}
