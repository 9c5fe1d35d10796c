import { parseDuration, sentencesOf } from '@svc/core';
import { outcomeText, type Run } from '@svc/records';
import { didYouMean } from '../did-you-mean.ts';
import { type EventFile, readEventFile } from '../event-file.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import { transcriptEnd } from '../transcript-text.ts';
import type { VerbContext } from './context.ts';
import { type Firing, fireInside, fireThrough, type Started } from './firing.ts';
import { serverOf } from './server-call.ts';

const LOOK_AGAIN_MS = 200;

/** Fires a trigger now: through the running server, or, where none runs, by opening the home itself. */
export async function fireVerb(context: VerbContext): Promise<ExitCode> {
  const [project, trigger, ...rest] = context.arguments;
  if (project === undefined || trigger === undefined || rest.length > 0) {
    throw new UsageError('fire needs a project and a trigger: svc fire hello heartbeat.');
  }
  const waits = context.options['wait'] === true;
  const patience = patienceOf(context.options['timeout'], waits);
  const file = context.options['event'];
  const event = typeof file === 'string' ? await readEventFile(file) : null;
  const { instanceFile } = context.home;
  const server = await serverOf(context);
  const firing = server === null ? await fireInside(context) : fireThrough(server, instanceFile);
  try {
    const { runId, sessionId, notice } = await started(firing, { project, trigger, event });
    context.terminal.out(`run ${runId} in chat ${sessionId}`);
    if (notice !== undefined) context.terminal.out(notice);
    // Without a server nobody else would see the run to its end.
    if (server !== null && !waits) return 0;
    const run = await Promise.race([
      ended(firing, { project, runId, patience }),
      stopped(context, runId),
    ]);
    if (waits) await showTranscript(context, firing, run);
    const words = run.outcome === null ? run.state : outcomeText(run.outcome);
    context.terminal.out(`${words}${run.reason === null ? '' : `: ${run.reason}`}`);
    return run.outcome === 'succeeded' ? 0 : 1;
  } finally {
    await firing.close();
  }
}

// How long to wait for the end, in milliseconds.
function patienceOf(text: string | boolean | undefined, waits: boolean): number | null {
  if (typeof text !== 'string') return null;
  if (!waits) throw new UsageError('--timeout goes with --wait.');
  const parsed = parseDuration(text, '--timeout');
  if (!parsed.ok) throw new UsageError(sentencesOf(parsed.issues, ''));
  return parsed.value;
}

async function started(
  firing: Firing,
  { project, trigger, event }: { project: string; trigger: string; event: EventFile | null },
): Promise<Started> {
  try {
    return await firing.start(project, trigger, event);
  } catch (error) {
    const unknown = await unknownName(firing, project, trigger).catch(() => null);
    throw unknown === null ? error : new CommandError(unknown);
  }
}

/** A sentence on a name that there is not, with the nearest one that there is; null when both are there. */
async function unknownName(
  firing: Firing,
  project: string,
  trigger: string,
): Promise<string | null> {
  const projects = await firing.projects();
  if (!projects.includes(project)) {
    return `There is no project ${project}.${didYouMean(project, projects)}`;
  }
  const triggers = await firing.triggers(project);
  if (triggers.includes(trigger)) return null;
  return `There is no trigger ${trigger} in the project ${project}.${didYouMean(trigger, triggers)}`;
}

async function showTranscript({ terminal }: VerbContext, firing: Firing, run: Run): Promise<void> {
  if (run.sessionId === null) return;
  const messages = await firing.messages(run.project, run.sessionId);
  for (const line of transcriptEnd(messages)) terminal.out(line);
}

async function stopped(context: VerbContext, runId: string): Promise<never> {
  await context.stopRequested;
  throw new CommandError(`Stopped before the end of run ${runId}.`);
}

interface Awaited {
  readonly project: string;
  readonly runId: string;
  /** In milliseconds; null: as long as it takes. */
  readonly patience: number | null;
}

async function ended(firing: Firing, { project, runId, patience }: Awaited): Promise<Run> {
  const begun = performance.now();
  for (;;) {
    const run = await firing.run(project, runId);
    if (run.state === 'ended') return run;
    if (patience !== null && performance.now() - begun >= patience) {
      throw new CommandError(`Run ${runId} has not ended within the time of --timeout.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
