import { counted, isId } from '@svc/core';
import type { OperationResults } from '@svc/ops';
import type { Message, Run } from '@svc/records';
import { authorText } from '@svc/records';
import { formatCost, formatDuration, formatLocalTime } from '../formatting.ts';
import { oneLine, toned } from '../table.ts';
import { CommandError, type ExitCode, type Terminal, UsageError } from '../terminal.ts';
import { transcriptLines } from '../transcript-text.ts';
import type { VerbContext } from './context.ts';
import { projectPath } from './names.ts';
import { stateText, toneOf } from './runs.ts';
import { type ServiceAccess, withService } from './service-access.ts';

/** Prints one run: its outcome, the reason and the transcript. */
export async function showVerb(context: VerbContext): Promise<ExitCode> {
  const [given, ...rest] = context.arguments;
  if (given === undefined || rest.length > 0) {
    throw new UsageError('show takes the id of a run, as listed by svc runs.');
  }
  const { terminal, options } = context;
  const { run, messages } = await withService(context, async (service) => {
    const found = await findRun(service, given);
    return { run: found, messages: await messagesOf(service, found) };
  });
  if (options['json'] === true) {
    terminal.text(JSON.stringify({ run, messages }, null, 2));
    return 0;
  }
  for (const [label, text] of factsOf(run, terminal)) {
    terminal.colored(`${label.padEnd(9)} ${text}`);
  }
  if (messages.length > 0) terminal.out('');
  for (const line of transcriptLines(messages)) terminal.out(line);
  return 0;
}

const NEWEST = 200;

/** Finds a run by its id, or by a part of it that is unique among the newest runs. */
export async function findRun(service: ServiceAccess, given: string): Promise<Run> {
  if (isId(given)) {
    return service.call<Run>({
      ...{ row: 'find_run', method: 'GET', path: `/api/runs/${given}`, input: { run_id: given } },
    });
  }
  if (!/^[0-9a-f-]{4,}$/.test(given)) {
    throw new UsageError(
      `"${given}" is not a run id. Give the id, or at least 4 characters from its start or end; svc runs lists ids.`,
    );
  }
  const { runs } = await service.call<OperationResults['list_all_runs']>({
    ...{ row: 'list_all_runs', method: 'GET', input: { limit: NEWEST } },
    path: `/api/runs?limit=${NEWEST}`,
  });
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
  service: ServiceAccess,
  { project, sessionId, turnId }: Run,
): Promise<Message[]> {
  if (sessionId === null) return [];
  const all: Message[] = [];
  let cursor: string | null = null;
  do {
    const page: OperationResults['read_transcript'] = await service.call({
      ...{ row: 'read_transcript', method: 'GET' },
      path: `${projectPath(project)}/chats/${sessionId}?limit=${MAX_MESSAGES}${cursor === null ? '' : `&cursor=${cursor}`}`,
      input: { project, session_id: sessionId, limit: MAX_MESSAGES, ...(cursor && { cursor }) },
    });
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
    ['chat', run.sessionId],
  ];
  return facts.flatMap(([label, text]) =>
    text === null || text === '' ? [] : [[label, label === 'outcome' ? text : oneLine(text)]],
  );
}

function didText({ turns, toolCalls, toolErrors }: Run): string {
  const failed = toolErrors ? ` (${toolErrors} failed)` : '';
  return `${counted(turns, 'model call')}, ${counted(toolCalls, 'tool call')}${failed}`;
}
