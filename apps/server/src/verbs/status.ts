import type { OperationResults } from '@svc/ops';
import { requireHome } from '../home.ts';
import { readInstanceFile } from '../instance-file.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { askServer } from './server-call.ts';
import { serverLines, spanText } from './server-lines.ts';
import { pauseLine, watchLine } from './status-lines.ts';

type Status = OperationResults['read_status'];
type Server = Status['nodes'][number];

/** Says what goes on in the running service, and on which servers; `--json` as the REST interface has it. */
export async function statusVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) throw new UsageError('status takes options only.');
  await requireHome(context.home);
  const server = await readInstanceFile(context.home.instanceFile);
  if (server === null) throw new CommandError('No server runs for this home: start svc serve.');
  const path = '/api/status';
  const status = (await askServer(context, server, { method: 'GET', path })) as Status;
  const isJson = context.options['json'] === true;
  const lines = isJson ? [JSON.stringify(status, null, 2)] : textOf(status, server.url);
  for (const line of lines) context.terminal.out(line);
  return 0;
}

function textOf(status: Status, url: string): string[] {
  const { version, paused, limitedWatch, running, nodes } = status;
  const now = nowOf(status);
  return [
    `svc ${version} at ${url}`,
    ...(paused === null ? [] : [pauseLine(paused)]),
    ...(limitedWatch === null ? [] : [watchLine(limitedWatch)]),
    running.length === 0 ? 'Nothing runs.' : `Running: ${running.length}`,
    ...running.map((turn) => turnLine(turn, nodes, now)),
    ...serverLines(status, now),
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
