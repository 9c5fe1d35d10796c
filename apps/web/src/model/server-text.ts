import { agoText, spanText } from './times.ts';

/** A server as the status returns it. */
export interface ServerFacts {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAt: string;
  readonly heartbeatAt: string;
  readonly running: number;
}

/** The address and home of a server, and the number of projects that it owns. */
export interface PlaceFacts {
  readonly node: string;
  readonly url: string | null;
  readonly home: string | null;
  readonly projects: number;
}

/** A server that has stopped or was lost. */
export interface GoneFacts {
  readonly id: string;
  readonly host: string;
  readonly home: string | null;
  readonly heartbeatAt: string;
  readonly goneAt: string;
  readonly how: 'stopped' | 'lost';
  readonly projects: number | null;
}

/** The state of a server at the time of the response. */
export interface ServerStanding extends ServerFacts {
  /** Whether it sent the response. */
  readonly isThis: boolean;
  /** No heartbeat for longer than a server runs without the database. */
  readonly isSilent: boolean;
  /** "3 h ago". */
  readonly since: string;
  /** "2 s ago". */
  readonly seen: string;
  /** Its id when several servers run on the same host; else null. */
  readonly mark: string | null;
}

const SILENT_MS = 12_000;

/** The state of all servers by the clock of the responding server, because the clock of the browser may differ. */
export function serversOf(
  servers: readonly ServerFacts[],
  answeredBy: string | undefined,
): readonly ServerStanding[] {
  const now = nowOf(servers, answeredBy);
  return servers.map((server) => ({
    ...server,
    isThis: server.id === answeredBy,
    isSilent: now - Date.parse(server.heartbeatAt) > SILENT_MS,
    since: agoText(server.startedAt, now),
    seen: `${spanText(now - Date.parse(server.heartbeatAt))} ago`,
    mark: servers.filter(({ host }) => host === server.host).length > 1 ? server.id : null,
  }));
}

// The responding server includes its own heartbeat in the response.
function nowOf(servers: readonly ServerFacts[], answeredBy: string | undefined): number {
  const own = servers.find(({ id }) => id === answeredBy);
  const seen = own === undefined ? servers : [own];
  return Math.max(...seen.map(({ heartbeatAt }) => Date.parse(heartbeatAt)));
}

/** Lists versions with their hosts when there are several: "1.0.0 (atlas, bora), 1.1.0 (cyr)"; else null. */
export function versionsText(servers: readonly ServerFacts[]): string | null {
  const hosts = new Map<string, string[]>();
  for (const { version, host } of servers) {
    hosts.set(version, [...(hosts.get(version) ?? []), host]);
  }
  if (hosts.size < 2) return null;
  return [...hosts].map(([version, names]) => `${version} (${names.join(', ')})`).join(', ');
}

/** "/var/lib/svc at http://10.0.0.4:7420"; null when the server has not reported them. */
export function placeText(place: PlaceFacts | undefined): string | null {
  if (place === undefined || place.url === null || place.home === null) return null;
  return `${place.home} at ${place.url}`;
}

/** "Owns 2 projects." */
export function projectsText(projects: number): string {
  if (projects === 0) return 'Owns no projects.';
  return `Owns ${projects === 1 ? '1 project' : `${projects} projects`}.`;
}

/** Describes how a lost server was evicted, and what the others took over. */
export function evictedText({ heartbeatAt, goneAt, projects }: GoneFacts): string {
  if (projects === 0) return 'It was killed or disconnected, and owned no projects.';
  const after = spanText(Date.parse(goneAt) - Date.parse(heartbeatAt));
  const what = projects === null ? 'its projects' : countText(projects);
  return `It was killed or disconnected. Other servers took over ${what} ${after} after its last heartbeat.`;
}

const countText = (projects: number): string =>
  projects === 1 ? 'its 1 project' : `its ${projects} projects`;

/** "Running 2 turns." */
export function turnsText(running: number): string {
  if (running === 0) return 'Running no turns.';
  return running === 1 ? 'Running 1 turn.' : `Running ${running} turns.`;
}
