import { silentLogger } from '@svc/core';
import { USER } from '@svc/ops';
import { prepareHome, requireHome } from '../home.ts';
import { openInstance } from '../instance.ts';
import { readInstanceFile } from '../instance-file.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { askServer, refused } from './server-call.ts';

/** Pauses everything that starts by itself: through the running server, or, where none runs, for the next one. */
export async function pauseVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) {
    throw new UsageError('pause takes no arguments: say why with --reason TEXT.');
  }
  const { reason, 'stop-running': stops } = context.options;
  const { stopped } = await ask<{ stopped: number }>(context, 'pause_all', '/api/pause', {
    ...(typeof reason === 'string' && { reason }),
    ...(stops === true && { stopRunning: true }),
  });
  const ended = stops === true ? ` Turns of triggers that are cancelled: ${stopped}.` : '';
  context.terminal.out(`Nothing starts by itself until svc resume.${ended}`);
  return 0;
}

/** Has everything go on, or one trigger that was paused after failures. */
export async function resumeVerb(context: VerbContext): Promise<ExitCode> {
  const [project, name, ...rest] = context.arguments;
  if ((project !== undefined && name === undefined) || rest.length > 0) {
    throw new UsageError('resume needs a project and a trigger, or neither: svc resume.');
  }
  if (project === undefined || name === undefined) {
    await ask(context, 'resume_all', '/api/resume', {});
    context.terminal.out('Everything goes on; what was skipped is not made up for.');
    return 0;
  }
  const path = `/api/projects/${encodeURIComponent(project)}/triggers/${encodeURIComponent(name)}/resume`;
  const named = { project, name };
  const { resumed } = await ask<{ resumed: boolean }>(context, 'resume_trigger', path, named);
  context.terminal.out(resumed ? `${name} goes on.` : `${name} was not paused.`);
  return 0;
}

type Row = 'pause_all' | 'resume_all' | 'resume_trigger';

async function ask<T>(context: VerbContext, row: Row, path: string, input: object): Promise<T> {
  await requireHome(context.home);
  const server = await readInstanceFile(context.home.instanceFile);
  const answer =
    server === null
      ? await askInside(context, row, input)
      : await askServer(context, server, path, row === 'pause_all' ? input : undefined);
  return answer as T;
}

async function askInside(context: VerbContext, row: Row, input: object): Promise<unknown> {
  const { home, settings, env, version } = context;
  await prepareHome(home);
  const instance = await openInstance({ home, settings, env, version, logger: silentLogger });
  try {
    const { signal } = new AbortController();
    const answer = await instance.ops.operations.call(USER, row, input, { signal });
    if (!answer.ok) throw refused(answer.error.message, answer.error.issues);
    return answer.value;
  } finally {
    await instance.close(0);
  }
}
