import { join } from 'node:path';
import type { OperationResults } from '@svc/ops';
import { lastUse } from '../earlier-node.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { askServer, requireServer } from './server-call.ts';
import { pauseLine, watchLine } from './status-lines.ts';

type Status = OperationResults['read_status'];
type Server = Status['nodes'][number];

/** Says what goes on in the running service, and on which servers; `--json` as the REST interface has it. */
export async function statusVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) throw new UsageError('status takes options only.');
  const server = await requireServer(context);
  const path = '/api/status';
  const status = (await askServer(context, server, { method: 'GET', path })) as Status;
  const isJson = context.options['json'] === true;
  const lines = isJson
    ? [JSON.stringify(status, null, 2)]
    : textOf(status, server.url, await placeLines(context, status));
  for (const line of lines) context.terminal.out(line);
  return 0;
}

// As the server noted it, whatever this command was told.
async function placeLines({ home }: VerbContext, { nodes, answeredBy }: Status): Promise<string[]> {
  const use = await lastUse(home);
  if (use?.database === undefined) return [];
  const { database, projects } = use;
  const isInHome = projects === undefined || projects === join(home.root, 'projects');
  return [
    `Database: ${database}`,
    ...(isInHome ? [] : [`Projects: ${projects}`]),
    // Of several each is named below.
    ...(nodes.length < 2 ? [`This server: ${answeredBy}`] : []),
  ];
}

function textOf(status: Status, url: string, place: readonly string[]): string[] {
  const { version, paused, limitedWatch, running, nodes, differences } = status;
  const now = nowOf(status);
  return [
    `svc ${version} at ${url}`,
    ...place,
    ...(paused === null ? [] : [pauseLine(paused)]),
    ...(limitedWatch === null ? [] : [watchLine(limitedWatch)]),
    running.length === 0 ? 'Nothing runs.' : `Running: ${running.length}`,
    ...running.map((turn) => turnLine(turn, nodes, now)),
    ...(nodes.length < 2 ? [] : serverLines(status, now)),
    ...differences,
  ];
}

// The server that answers gives its own sign of life with the answer.
function nowOf({ nodes, answeredBy }: Status): number {
  const own = nodes.find(({ id }) => id === answeredBy);
  return own === undefined ? Date.now() : Date.parse(own.heartbeatAt);
}

function turnLine(
  { project, trigger, chat, startedAt, node }: Status['running'][number],
  nodes: readonly Server[],
  now: number,
): string {
  const host = nodes.length < 2 ? undefined : nodes.find(({ id }) => id === node)?.host;
  const where = host === undefined ? '' : `, on ${host}`;
  return `  ${project}/${trigger ?? chat}, for ${spanText(now - Date.parse(startedAt))}${where}`;
}

const SILENT_MS = 12_000;

function serverLines({ nodes, answeredBy }: Status, now: number): string[] {
  const versions = new Set(nodes.map(({ version }) => version));
  return [
    `Servers: ${nodes.length}`,
    ...nodes.map((node) => {
      const { id, host, version, startedAt, heartbeatAt, running } = node;
      const silence = now - Date.parse(heartbeatAt);
      return [
        `  ${host} (${id}${id === answeredBy ? ', this one' : ''})`,
        `${version}, since ${startedAt}`,
        `${silence > SILENT_MS ? 'SILENT, ' : ''}last sign of life ${spanText(silence)} ago`,
        `running: ${running}`,
      ].join('; ');
    }),
    ...(versions.size < 2 ? [] : ['The servers run different versions: run the same on all.']),
  ];
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

function spanText(ms: number): string {
  const span = Math.max(0, ms);
  for (const [length, unit] of UNITS) {
    if (span >= length) return `${Math.floor(span / length)} ${unit}`;
  }
  return `${Math.floor(span / 1000)} s`;
}
