import { type Api, ApiError, bodyOf, type Schemas } from '@svc/client';
import { messageOf, parseDuration, sentencesOf } from '@svc/core';
import { type Command, REPORTS_WITHIN_MS } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { type EventFile, eventRefusal, readEventFile } from '../event-file.ts';
import { withNameSuggestions } from '../names.ts';
import { asksForJson, printResult } from '../print-result.ts';
import { answerOf, type Service, withFields, withService } from '../service.ts';
import { CommandError, UsageError } from '../terminal.ts';
import { transcriptEnd } from '../transcript-text.ts';
import { outcomeWord } from './runs.ts';

type Run = Schemas['Run'];
type Started = Pick<Schemas['FiredTrigger'], 'runId' | 'sessionId' | 'notice'>;

const POLL_MS = 200;
const MAX_MESSAGES = 100;

/** Fires a trigger through the running server, or, if none runs, in this process. */
export const fire: Command = {
  name: 'fire',
  group: 'Act',
  summary: 'fire a trigger now',
  stopsWithinMs: REPORTS_WITHIN_MS,
  overview: 'PROJECT TRIGGER [--wait]',
  arguments: { PROJECT: 'project', TRIGGER: 'trigger' },
  takes: 'a project and a trigger: svc fire hello heartbeat.',
  options: {
    '--wait':
      'wait for the run to end, then show the end of its transcript, its outcome and reason; exit code 1 unless the run succeeded',
    '--timeout D':
      'stop waiting after this time, for example 90s or 10m, with exit code 1; a server keeps running the turn',
    '--event FILE':
      'test an event trigger with this data: a JSON object of at most 256 KiB, for example { "chat": { "name": "Fix the door", "messages": 4 } }',
  },
  values: { event: 'file' },
  isRemote: true,
  description:
    'Fire a trigger now, even if it is disabled. Without a running server the command runs the turn itself.',
  json: '{ "runId", "sessionId" }, plus "notice" if the trigger is paused, and "run" with --wait.',
  async run(context) {
    const [project = '', trigger = ''] = context.arguments;
    const waits = context.options['wait'] === true;
    const timeoutMs = timeoutOf(context.options['timeout'], waits);
    const file = context.options['event'];
    const event = typeof file === 'string' ? await readEventFile(file) : null;
    return withService(
      context,
      async (service) => {
        const { runId, sessionId, notice } = await withNameSuggestions(
          service.api,
          project,
          trigger,
          () => start(service.api, project, trigger, event),
        );
        const begun = { runId, sessionId, ...(notice !== undefined && { notice }) };
        // Without a server the run ends with this process, so the command waits for it.
        if (service.server !== null && !waits) {
          printResult(context, begun, linesOf(begun));
          return 0;
        }
        if (!asksForJson(context)) printResult(context, begun, linesOf(begun));
        const run = await Promise.race([
          ended(service, context, runId, timeoutMs),
          stopped(context, runId),
        ]);
        if (waits && !asksForJson(context)) await showTranscript(context, service.api, run);
        printResult(context, { ...begun, run }, [endingOf(run)]);
        return run.outcome === 'succeeded' ? 0 : 1;
      },
      { runsTurns: true },
    );
  },
};

async function start(
  api: Api,
  slug: string,
  name: string,
  event: EventFile | null,
): Promise<Started> {
  const answer = await api.POST('/api/projects/{slug}/triggers/{name}/run', {
    params: { path: { slug, name } },
    // The contract has this type for an object with any content.
    ...(event !== null && { body: { event: event.data as Record<string, never> } }),
  });
  try {
    return withFields(bodyOf(answer), ['runId', 'sessionId']);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Issues of event data refer to the file it was read from.
    const isOfData = event !== null && error.issues.some(({ path }) => /^event\b/.test(path));
    throw new CommandError(isOfData ? eventRefusal(event, error.issues) : error.message);
  }
}

function linesOf({ runId, sessionId, notice }: Started): string[] {
  return [`run ${runId} in chat ${sessionId}`, ...(notice === undefined ? [] : [notice])];
}

function endingOf({ state, outcome, reason }: Run): string {
  const words = outcome === null ? state : outcomeWord(outcome);
  return `${words}${reason === null ? '' : `: ${reason}`}`;
}

// Parses how long to wait for the end, in milliseconds; null: no limit.
function timeoutOf(text: string | boolean | undefined, waits: boolean): number | null {
  if (typeof text !== 'string') return null;
  if (!waits) throw new UsageError('--timeout requires --wait.');
  const parsed = parseDuration(text, '--timeout');
  if (!parsed.ok) throw new UsageError(sentencesOf(parsed.issues, ''));
  return parsed.value;
}

async function showTranscript(
  { terminal }: CommandContext,
  api: Api,
  { project: slug, sessionId }: Run,
): Promise<void> {
  if (sessionId === null) return;
  const params = { path: { slug, sessionId }, query: { limit: MAX_MESSAGES } };
  const asked = api.GET('/api/projects/{slug}/chats/{sessionId}', { params });
  for (const line of transcriptEnd((await answerOf(asked, 'messages')).messages))
    terminal.out(line);
}

async function stopped(context: CommandContext, runId: string): Promise<never> {
  await context.stopRequested;
  throw new CommandError(`Stopped before the end of run ${runId}.`);
}

// The server does not respond at the moment; the run may continue.
class UnansweredError extends CommandError {}

async function runIn({ api, server }: Service, slug: string, runId: string): Promise<Run> {
  const params = { path: { slug, runId } };
  const asked = api.GET('/api/projects/{slug}/runs/{runId}', { params });
  const answer = await asked.catch((error: unknown) => {
    throw new UnansweredError(messageOf(error));
  });
  if (server === null || answer.response.status !== 503)
    return answerOf(Promise.resolve(answer), 'id', 'state');
  throw new UnansweredError(new ApiError(503, answer.error).message);
}

/** Enough for a drain and a restart. */
const UNANSWERED_MS = 60_000;

// A restarted server is found at its new address.
async function ended(
  service: Service,
  { terminal, arguments: [project = ''] }: CommandContext,
  runId: string,
  timeoutMs: number | null,
): Promise<Run> {
  const begun = performance.now();
  let answeredAt = begun;
  let isLost = false;
  for (;;) {
    const run = await runIn(service, project, runId).catch((error: unknown) => {
      if (!(error instanceof UnansweredError)) throw error;
      const { message } = error;
      if (!isLost) terminal.error(`Waiting for the server and run ${runId}: ${message}`);
      isLost = true;
      if (performance.now() - answeredAt < UNANSWERED_MS) return null;
      throw new CommandError(
        `The server stopped answering before run ${runId} ended. To see its outcome, run svc show ${runId} once a server is running. ${message}`,
      );
    });
    if (run?.state === 'ended') return run;
    if (run !== null) {
      answeredAt = performance.now();
      isLost = false;
    }
    if (timeoutMs !== null && performance.now() - begun >= timeoutMs) {
      throw new CommandError(`Run ${runId} did not end within --timeout.`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
