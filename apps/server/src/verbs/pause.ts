import type { OperationResults } from '@svc/ops';
import { authorText } from '@svc/records';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { printResult } from './print-result.ts';
import { callService } from './service-access.ts';

type PausedNow = OperationResults['pause_all'];
// A server of an earlier version does not send the other fields.
type PauseAnswer = Pick<PausedNow, 'stopped'> & Partial<PausedNow>;

/** Pauses all triggers through the running server, or, if none runs, in the database. */
export async function pauseVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) {
    throw new UsageError('pause takes no arguments. Give a reason with --reason TEXT.');
  }
  const { reason, 'stop-running': stops } = context.options;
  const input = {
    ...(typeof reason === 'string' && { reason }),
    ...(stops === true && { stopRunning: true }),
  };
  const pause = { row: 'pause_all', method: 'POST', path: '/api/pause', input } as const;
  const answer = await callService<PauseAnswer>(context, { ...pause, body: input });
  const { stopped, replaced = null, servers = 1, answeredBy } = answer;
  const ended = stops === true ? ` Cancelled turns of triggers: ${stopped}.` : '';
  const where = servers < 2 ? '' : ` on all ${servers} servers`;
  printResult(context, answer, [
    `All triggers are paused${where} until svc resume.${ended}`,
    ...(servers > 1 ? [`Answered by server ${answeredBy}.`] : []),
    ...(replaced === null ? [] : [replacedLine(replaced)]),
  ]);
  return 0;
}

/** Resumes all triggers, or one trigger that was paused after failures or by a clock problem. */
export async function resumeVerb(context: VerbContext): Promise<ExitCode> {
  const [project, name, ...rest] = context.arguments;
  if ((project !== undefined && name === undefined) || rest.length > 0) {
    throw new UsageError('resume takes a project and a trigger, or neither: svc resume.');
  }
  if (project === undefined || name === undefined) {
    const status = { row: 'read_status', method: 'GET', path: '/api/status', input: {} } as const;
    const { paused } = await callService<{ paused: object | null }>(context, status);
    await callService(context, {
      row: 'resume_all',
      method: 'POST',
      path: '/api/resume',
      input: {},
    });
    const done = 'Resumed all triggers. Skipped slots will not run later.';
    const none = 'Nothing was paused.';
    printResult(context, { paused: null, wasPaused: paused !== null }, [
      paused === null ? none : done,
    ]);
    return 0;
  }
  const path = `/api/projects/${encodeURIComponent(project)}/triggers/${encodeURIComponent(name)}/resume`;
  const answer = await callService<OperationResults['resume_trigger']>(context, {
    row: 'resume_trigger',
    method: 'POST',
    path,
    input: { project, name },
  });
  const line = answer.resumed ? `Resumed ${name}.` : `${name} was not paused.`;
  printResult(context, answer, [line]);
  return 0;
}

function replacedLine({ by, at, reason }: NonNullable<PausedNow['replaced']>): string {
  const why = reason === null ? '' : `, reason: ${reason.replace(/[.!?]$/, '')}`;
  return `Replaced an earlier pause by ${authorText(by)} (since ${at}${why}).`;
}
