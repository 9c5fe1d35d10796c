import type { Schemas } from '@svc/client';

type Status = Schemas['Status'];

const SILENT_MS = 12_000;

/** The servers that share the database, and those that have left it, one line each; empty for a single server. */
export function serverLines(
  { nodes, places, gone, answeredBy }: Pick<Status, 'nodes' | 'places' | 'gone' | 'answeredBy'>,
  now: number,
): string[] {
  if (nodes.length < 2 && places.length === 0) return [];
  const versions = new Set(nodes.map(({ version }) => version));
  return [
    `Servers: ${nodes.length}`,
    ...nodes.map((node) => {
      const { id, host, version, startedAt, heartbeatAt, running } = node;
      const silence = now - Date.parse(heartbeatAt);
      const place = places.find((each) => each.node === id);
      return [
        `  ${host} (${id}${id === answeredBy ? ', this one' : ''})`,
        ...foundAt(place ?? { url: null, home: null }),
        `${version}, since ${startedAt}`,
        `${silence > SILENT_MS ? 'SILENT, ' : ''}last heartbeat ${formatAge(silence)} ago`,
        ...(place === undefined ? [] : [`projects: ${place.projects}`]),
        `running: ${running}`,
      ].join('; ');
    }),
    ...(versions.size < 2
      ? []
      : ['The servers run different versions. Run the same version on all of them.']),
    ...(gone.length === 0 ? [] : ['Gone in the last day:', ...gone.map(goneLine)]),
  ];
}

function foundAt({ url, home }: { readonly url: string | null; readonly home: string | null }) {
  return [...(url === null ? [] : [url]), ...(home === null ? [] : [`home ${home}`])];
}

function goneLine(server: Status['gone'][number]): string {
  const { id, host, how, heartbeatAt, goneAt, projects } = server;
  const name = [`  ${host} (${id})`, ...foundAt(server)].join('; ');
  if (how === 'stopped') return `${name}; stopped at ${goneAt}`;
  const after = formatAge(Date.parse(goneAt) - Date.parse(heartbeatAt));
  const taken = projects === null ? 'its projects' : projectsText(projects);
  return `${name}; LOST (killed or cut off), last heartbeat ${heartbeatAt}; ${taken} taken over ${after} later`;
}

function projectsText(projects: number): string {
  return projects === 1 ? '1 project' : `${projects} projects`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** Formats milliseconds in the largest fitting unit: `3 h`. */
export function formatAge(ms: number): string {
  const span = Math.max(0, ms);
  for (const [length, unit] of UNITS) {
    if (span >= length) return `${Math.floor(span / length)} ${unit}`;
  }
  return `${Math.floor(span / 1000)} s`;
}
