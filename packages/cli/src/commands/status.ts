import type { Schemas } from '@svc/client';
import { attentionLines } from '../attention-lines.ts';
import type { Command } from '../command.ts';
import { asksForJson, printResult } from '../print-result.ts';
import { formatAge, serverLines } from '../server-lines.ts';
import { answerOf, requireServer } from '../service.ts';
import { problemLines } from '../status-lines.ts';

type Status = Schemas['Status'];

// Earlier versions of the server do not send these fields.
const UNREPORTED = {
  differences: [],
  places: [],
  gone: [],
  attention: { total: 0, entries: [] },
} satisfies Partial<Status>;

/** Prints the status of the running service and its servers. */
export const status: Command = {
  name: 'status',
  group: 'Inspect',
  summary: 'show running turns and servers',
  isRemote: true,
  description: `
Show whether all triggers are paused and which turns are running. If several servers share the database, also list each server
with its host, version, start time, last heartbeat and number of running turns.
Exit code 1 if no server is running for this home.`,
  json: 'the response of GET /api/status.',
  async run(context) {
    const { api, server } = await requireServer(context);
    const answer = await answerOf(api.GET('/api/status'), 'version', 'running');
    const lines = asksForJson(context)
      ? []
      : textOf({ ...UNREPORTED, ...answer }, server.url, (await server.places?.()) ?? []);
    printResult(context, answer, lines);
    return 0;
  },
};

function textOf(status: Status, url: string, places: readonly string[]): string[] {
  const { version, running, nodes, differences, attention } = status;
  const now = nowOf(status);
  return [
    `svc ${version} at ${url}`,
    ...places,
    ...problemLines(status),
    running.length === 0 ? 'No turns are running.' : `Running: ${running.length}`,
    ...running.map((turn) => turnLine(turn, nodes, now)),
    ...serverLines(status, now),
    ...differences,
    ...attentionLines(attention),
  ];
}

// The responding server includes its own current heartbeat, so its clock is used and not that of this machine.
function nowOf({ nodes, answeredBy }: Status): number {
  const own = nodes.find(({ id }) => id === answeredBy);
  return own === undefined ? Date.now() : Date.parse(own.heartbeatAt);
}

function turnLine(
  { project, trigger, chat, startedAt, node }: Status['running'][number],
  nodes: Status['nodes'],
  now: number,
): string {
  const host = nodes.length < 2 ? undefined : nodes.find(({ id }) => id === node)?.host;
  const where = host === undefined ? '' : `, on ${host}`;
  return `  ${project}/${trigger ?? chat}, for ${formatAge(now - Date.parse(startedAt))}${where}`;
}
