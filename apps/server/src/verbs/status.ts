import { join } from 'node:path';
import type { OperationResults } from '@svc/ops';
import { readLastUse } from '../last-use.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import { attentionLines } from './attention-lines.ts';
import type { VerbContext } from './context.ts';
import { asksForJson, printResult } from './print-result.ts';
import { formatAge, serverLines } from './server-lines.ts';
import { answerOf, requireServer } from './service-access.ts';
import { pauseLine, sinkLines, watchLine, zoneLine } from './status-lines.ts';

type Status = OperationResults['read_status'];
type Server = Status['nodes'][number];

// Earlier versions of the server do not send these fields.
const UNREPORTED = {
  differences: [],
  places: [],
  gone: [],
  limitedWatch: null,
  timezone: { name: 'UTC', warning: null },
  attention: { total: 0, entries: [] },
  alerts: { failing: [], waiting: 0 },
} as const satisfies Partial<Status>;

type Answer = Omit<Status, keyof typeof UNREPORTED> & Partial<Status>;

/** Prints the status of the running service and its servers; `--json` prints the response of the REST interface. */
export async function statusVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) throw new UsageError('status takes options only.');
  const server = await requireServer(context);
  const answer = (await answerOf(server.call, 'GET', '/api/status')) as Answer;
  const status: Status = { ...UNREPORTED, ...answer };
  const lines = asksForJson(context)
    ? []
    : [
        ...textOf(status, server.url, await placeLines(context)),
        ...attentionLines(status.attention),
      ];
  printResult(context, answer, lines);
  return 0;
}

// The server recorded its folder; this command may have other settings.
async function placeLines({ home, options }: VerbContext): Promise<string[]> {
  if (options['url'] !== undefined) return [];
  const use = await readLastUse(home);
  if (use?.database === undefined) return [];
  const { database, projects } = use;
  const isInHome = projects === undefined || projects === join(home.root, 'projects');
  return [`Database: ${database}`, ...(isInHome ? [] : [`Projects: ${projects}`])];
}

function textOf(status: Status, url: string, place: readonly string[]): string[] {
  const { version, paused, timezone, limitedWatch, running, nodes, differences } = status;
  const now = nowOf(status);
  return [
    `svc ${version} at ${url}`,
    ...place,
    ...(paused === null ? [] : [pauseLine(paused)]),
    ...(timezone.warning === null ? [] : [zoneLine(timezone.warning)]),
    ...(limitedWatch === null ? [] : [watchLine(limitedWatch)]),
    ...sinkLines(status.alerts),
    running.length === 0 ? 'No turns are running.' : `Running: ${running.length}`,
    ...running.map((turn) => turnLine(turn, nodes, now)),
    ...serverLines(status, now),
    ...differences,
  ];
}

// The responding server includes its own current heartbeat, so its clock is used and not that of this machine.
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
  return `  ${project}/${trigger ?? chat}, for ${formatAge(now - Date.parse(startedAt))}${where}`;
}
