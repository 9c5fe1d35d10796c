import { parseDuration, sentencesOf } from '@svc/core';
import type { Run } from '@svc/records';
import { readEventFile } from '../event-file.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import { transcriptEnd } from '../transcript-text.ts';
import type { VerbContext } from './context.ts';
import { withNameSuggestionsFrom } from './names.ts';
import { asksForJson, printResult } from './print-result.ts';
import { outcomeWord } from './runs.ts';
import { serverOf } from './service-access.ts';
import {
  createLocalTriggerClient,
  createServerTriggerClient,
  type Started,
  type TriggerClient,
  UnansweredError,
} from './trigger-client.ts';

const POLL_MS = 200;

/** Fires a trigger through the running server, or, if none runs, in this process. */
export async function fireVerb(context: VerbContext): Promise<ExitCode> {
  const [project, trigger, ...rest] = context.arguments;
  if (project === undefined || trigger === undefined || rest.length > 0) {
    throw new UsageError('fire takes a project and a trigger: svc fire hello heartbeat.');
  }
  const waits = context.options['wait'] === true;
  const timeoutMs = timeoutOf(context.options['timeout'], waits);
  const file = context.options['event'];
  const event = typeof file === 'string' ? await readEventFile(file) : null;
  const server = await serverOf(context);
  const client =
    server === null ? await createLocalTriggerClient(context) : createServerTriggerClient(server);
  try {
    const { runId, sessionId, notice } = await withNameSuggestionsFrom(
      client,
      project,
      trigger,
      () => client.start(project, trigger, event),
    );
    const begun = { runId, sessionId, ...(notice !== undefined && { notice }) };
    // Without a server the run ends with this process, so the command waits for it.
    if (server !== null && !waits) {
      printResult(context, begun, linesOf(begun));
      return 0;
    }
    if (!asksForJson(context)) printResult(context, begun, linesOf(begun));
    const run = await Promise.race([
      ended(server === null ? async () => client : () => found(context, client), {
        ...{ project, runId, timeoutMs },
        onLost: (why) => context.terminal.error(`Waiting for the server and run ${runId}: ${why}`),
      }),
      stopped(context, runId),
    ]);
    if (waits && !asksForJson(context)) await showTranscript(context, client, run);
    printResult(context, { ...begun, run }, [endingOf(run)]);
    return run.outcome === 'succeeded' ? 0 : 1;
  } finally {
    await client.close();
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
  { terminal }: VerbContext,
  client: TriggerClient,
  run: Run,
): Promise<void> {
  if (run.sessionId === null) return;
  const messages = await client.messages(run.project, run.sessionId);
  for (const line of transcriptEnd(messages)) terminal.out(line);
}

async function stopped(context: VerbContext, runId: string): Promise<never> {
  await context.stopRequested;
  throw new CommandError(`Stopped before the end of run ${runId}.`);
}

function lost(runId: string, why: string): CommandError {
  return new CommandError(
    `The server stopped answering before run ${runId} ended. To see its outcome, run svc show ${runId} once a server is running. ${why}`,
  );
}

interface Awaited {
  readonly project: string;
  readonly runId: string;
  /** Milliseconds; null: no limit. */
  readonly timeoutMs: number | null;
  /** Called when the server stops responding. */
  onLost(why: string): void;
}

// A restarted server may have another address.
async function found(context: VerbContext, before: TriggerClient): Promise<TriggerClient> {
  const server = await serverOf(context).catch(() => null);
  return server === null ? before : createServerTriggerClient(server);
}

/** Enough for a drain and a restart. */
const UNANSWERED_MS = 60_000;

async function ended(
  find: () => Promise<TriggerClient>,
  { project, runId, timeoutMs, onLost }: Awaited,
): Promise<Run> {
  const begun = performance.now();
  let answeredAt = begun;
  let isLost = false;
  let client = await find();
  for (;;) {
    const run = await client.run(project, runId).catch((error: unknown) => {
      if (!(error instanceof UnansweredError)) throw error;
      if (!isLost) onLost(error.message);
      isLost = true;
      if (performance.now() - answeredAt < UNANSWERED_MS) return null;
      throw lost(runId, error.message);
    });
    if (run?.state === 'ended') return run;
    if (run === null) client = await find();
    else {
      answeredAt = performance.now();
      isLost = false;
    }
    if (timeoutMs !== null && performance.now() - begun >= timeoutMs) {
      throw new CommandError(`Run ${runId} did not end within --timeout.`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
