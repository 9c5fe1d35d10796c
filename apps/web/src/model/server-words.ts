import { agoText, spanText } from './times.ts';

/** A server, as the service tells of it. */
export interface ServerFacts {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAt: string;
  readonly heartbeatAt: string;
  readonly running: number;
}

/** Where a server is found, and what it does. */
export interface PlaceFacts {
  readonly node: string;
  readonly url: string | null;
  readonly home: string | null;
  readonly projects: number;
}

/** A server that is not there any more. */
export interface GoneFacts {
  readonly id: string;
  readonly host: string;
  readonly home: string | null;
  readonly heartbeatAt: string;
  readonly goneAt: string;
  readonly how: 'stopped' | 'lost';
  readonly projects: number | null;
}

/** How a server is, as of the answer that told of it. */
export interface ServerStanding extends ServerFacts {
  /** Whether it gave that answer. */
  readonly isThis: boolean;
  /** No sign of life for longer than a server goes on without the database. */
  readonly isSilent: boolean;
  /** "3 h ago". */
  readonly since: string;
  /** "2 s ago". */
  readonly seen: string;
  /** What tells it from others on its host; null where it is alone there. */
  readonly mark: string | null;
}

const SILENT_MS = 12_000;

/** How servers stand, by the clock of the one that answers: that of the browser may be any time apart. */
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

// The server that answers gives its own sign of life with the answer.
function nowOf(servers: readonly ServerFacts[], answeredBy: string | undefined): number {
  const own = servers.find(({ id }) => id === answeredBy);
  const seen = own === undefined ? servers : [own];
  return Math.max(...seen.map(({ heartbeatAt }) => Date.parse(heartbeatAt)));
}

/** Which versions run where, when there is more than one: "1.0.0 (atlas, bora), 1.1.0 (cyr)". */
export function versionsText(servers: readonly ServerFacts[]): string | null {
  const hosts = new Map<string, string[]>();
  for (const { version, host } of servers) {
    hosts.set(version, [...(hosts.get(version) ?? []), host]);
  }
  if (hosts.size < 2) return null;
  return [...hosts].map(([version, names]) => `${version} (${names.join(', ')})`).join(', ');
}

/** "/var/lib/svc at http://10.0.0.4:7420"; null where a server has not told. */
export function placeText(place: PlaceFacts | undefined): string | null {
  if (place === undefined || place.url === null || place.home === null) return null;
  return `${place.home} at ${place.url}`;
}

/** "Owns 2 projects." */
export function projectsText(projects: number): string {
  if (projects === 0) return 'Owns no projects.';
  return `Owns ${projects === 1 ? '1 project' : `${projects} projects`}.`;
}

/** How long it took until others held a lost server for dead, and what they did. */
export function takenText({ heartbeatAt, goneAt, projects }: GoneFacts): string {
  if (projects === 0) return 'It was killed or disconnected, and owned no projects.';
  const after = spanText(Date.parse(goneAt) - Date.parse(heartbeatAt));
  const what = projects === null ? 'its projects' : countText(projects);
  return `It was killed or disconnected. Other servers took over ${what} ${after} after its last heartbeat.`;
}

const countText = (projects: number): string =>
  projects === 1 ? 'its 1 project' : `its ${projects} projects`;

/** "Runs 2 turns." */
export function turnsText(running: number): string {
  if (running === 0) return 'Runs no turns.';
  return running === 1 ? 'Runs 1 turn.' : `Runs ${running} turns.`;
}
