import type { Environment } from '@svc/cli';
import type { Api } from '@svc/client';
import { createZoneHost } from '../zone-host.ts';

/** Problems with clocks and time zone data, of this host and, for each trigger, of a running server. */
export async function clockLines(api: Api | null, env: Environment): Promise<string[]> {
  const host = createZoneHost(env, null);
  const data = (await host.hasData())
    ? `compared with the host's data at each start`
    : 'not compared, because the host has none';
  return [
    `time zone data: ${process.versions['tz'] ?? 'unknown'}, ${data}`,
    ...(api === null ? [] : await reportedLines(api)),
  ];
}

async function reportedLines(api: Api): Promise<string[]> {
  const lines: string[] = [];
  const listed = await api.GET('/api/projects').catch(() => null);
  for (const { slug } of listed?.data?.projects ?? []) {
    const params = { path: { slug } };
    const path = '/api/projects/{slug}/triggers/runtime';
    const answer = await api.GET(path, { params }).catch(() => null);
    for (const { name, clock, zoneData } of answer?.data?.runtime ?? []) {
      for (const part of [clock, zoneData]) {
        if (part !== undefined) lines.push(`${slug} ${name}: ${part.message}`);
      }
    }
  }
  return lines;
}
