import type { Api, Schemas } from '@svc/client';
import { counted, isId } from '@svc/core';
import { authorText } from '@svc/records';
import type { Command } from '../command.ts';
import { formatCost, formatDuration, formatLocalTime } from '../formatting.ts';
import { hostsText, sandboxText } from '../network-text.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { oneLine, toned } from '../table.ts';
import { CommandError, type Terminal, UsageError } from '../terminal.ts';
import { transcriptLines } from '../transcript-text.ts';
import { stateText, toneOf } from './runs.ts';

type Run = Schemas['Run'];
type Message = Schemas['Message'];

/** Prints one run: its outcome, the reason and the transcript. */
export const show: Command = {
  name: 'show',
  group: 'Inspect',
  summary: 'show one run: outcome, reason and transcript',
  arguments: { RUN: null },
  takes: 'the id of a run, as listed by svc runs.',
  isRemote: true,
  description: `
Show one run: outcome, reason, scheduled and start time, usage, refused tool calls, network connections, and the transcript of
its turn. RUN is an id, or the first or last characters of the id of a recent run.

  svc show 01990c2e-5f2a-7bb1-8a52-0d2f6c1e9a44
  svc show 0d2f6c1e9a44`,
  json: '{ "run", "messages": [...] }.',
  async run(context) {
    const [given = ''] = context.arguments;
    const { terminal } = context;
    const { run, messages } = await withService(context, async ({ api }) => {
      const found = await findRun(api, given);
      return { run: found, messages: await messagesOf(api, found) };
    });
    printResult(context, { run, messages }, () => {
      for (const [label, text] of factsOf(run, terminal))
        terminal.colored(`${label.padEnd(9)} ${text}`);
      if (messages.length > 0) terminal.out('');
      for (const line of transcriptLines(messages)) terminal.out(line);
    });
    return 0;
  },
};

const NEWEST = 200;

/** Finds a run by its id, or by a part of it that is unique among the newest runs. */
export async function findRun(api: Api, given: string): Promise<Run> {
  if (isId(given)) {
    return answerOf(
      api.GET('/api/runs/{runId}', { params: { path: { runId: given } } }),
      'id',
      'project',
    );
  }
  if (!/^[0-9a-f-]{4,}$/.test(given)) {
    throw new UsageError(
      `"${given}" is not a run id. Give the id, or at least 4 characters from its start or end; svc runs lists ids.`,
    );
  }
  const { runs } = await answerOf(
    api.GET('/api/runs', { params: { query: { limit: NEWEST } } }),
    'runs',
  );
  const [run, ...others] = runs.filter(({ id }) => id.startsWith(given) || id.endsWith(given));
  if (run !== undefined && others.length === 0) return run;
  throw new CommandError(
    run === undefined
      ? `None of the last ${NEWEST} runs has an id that starts or ends with ${given}. Use the full id.`
      : `${others.length + 1} of the last runs have an id that starts or ends with ${given}. Give more characters.`,
  );
}

const MAX_MESSAGES = 200;

async function messagesOf(
  api: Api,
  { project: slug, sessionId, turnId }: Run,
): Promise<readonly Message[]> {
  if (sessionId === null) return [];
  const all: Message[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: MAX_MESSAGES, ...(cursor !== null && { cursor }) };
    const params = { path: { slug, sessionId }, query };
    const page: Schemas['ChatWithMessages'] = await answerOf(
      api.GET('/api/projects/{slug}/chats/{sessionId}', { params }),
      'messages',
    );
    all.unshift(...page.messages);
    cursor = page.next;
    // Pages are ordered from new to old, so pages before the turn are not needed.
  } while (cursor !== null && all[0]?.turnId === turnId);
  return all.filter((message) => message.turnId === turnId);
}

function factsOf(run: Run, { hasColors }: Terminal): [label: string, text: string][] {
  const tone = toneOf(run);
  const standing = oneLine(stateText(run));
  const { scheduledFor, startedAt, endedAt, lateMs, reason, denied, cost, model, runtime } = run;
  const late = lateMs === null ? '' : `, ${formatDuration(lateMs)} late`;
  const took =
    startedAt === null || endedAt === null
      ? ''
      : `, took ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  const tokens =
    run.tokensIn === null ? '' : `${run.tokensIn} tokens in, ${run.tokensOut ?? 0} out`;
  const used = [tokens, formatCost(cost)].filter((text) => text !== '').join(', ');
  const facts: (readonly [string, string | null])[] = [
    ['run', run.id],
    ['trigger', `${run.project}/${run.trigger}`],
    ['outcome', tone !== null && hasColors ? toned(standing, tone) : standing],
    ['reason', reason],
    ['cause', run.by === null ? run.cause : `${run.cause}, by ${run.person ?? authorText(run.by)}`],
    ['due', scheduledFor === null ? null : `${formatLocalTime(scheduledFor)}${late}`],
    ['started', startedAt === null ? null : `${formatLocalTime(startedAt)}${took}`],
    [
      'runtime',
      [runtime, model === null ? null : `model ${model}`]
        .filter((text) => text !== null)
        .join(', '),
    ],
    ['usage', startedAt === null ? null : didText(run)],
    ['tokens', used],
    ...denied.map(({ tool, reason: why }) => ['denied', `${tool}: ${why}`] as const),
    ['sandbox', sandboxText(run.sandbox)],
    ['network', networkText(run)],
    ['refused', hostsText(run.network?.refused ?? [], run.network?.more?.refused)],
    ['chat', run.sessionId],
  ];
  return facts.flatMap(([label, text]) =>
    text === null || text === '' ? [] : [[label, label === 'outcome' ? text : oneLine(text)]],
  );
}

function networkText({ network }: Run): string | null {
  // Earlier servers leave it out.
  if (!network) return null;
  const { reached, refused, more } = network;
  if (reached.length > 0) return `reached ${hostsText(reached, more?.reached)}`;
  return refused.length > 0 ? null : 'no connections';
}

function didText({ turns, toolCalls, toolErrors }: Run): string {
  const failed = toolErrors ? ` (${toolErrors} failed)` : '';
  return `${counted(turns, 'model call')}, ${counted(toolCalls, 'tool call')}${failed}`;
}
