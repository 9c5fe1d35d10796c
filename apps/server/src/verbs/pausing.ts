import { createSystemClock } from '@svc/core';
import { type CallServer, createServerCaller } from '../call-server.ts';
import { requireHome } from '../home.ts';
import { readInstanceFile } from '../instance-file.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** Pauses everything that starts by itself, through the running server. */
export async function pauseVerb(context: VerbContext): Promise<ExitCode> {
  if (context.arguments.length > 0) {
    throw new UsageError('pause takes no arguments: say why with --reason TEXT.');
  }
  const { reason, 'stop-running': stops } = context.options;
  const wish = {
    ...(typeof reason === 'string' && { reason }),
    ...(stops === true && { stopRunning: true }),
  };
  const { stopped } = await post<{ stopped: number }>(context, '/api/pause', wish);
  const ended = stops === true ? ` Running turns of triggers that are cancelled: ${stopped}.` : '';
  context.terminal.out(`Nothing starts by itself until svc resume.${ended}`);
  return 0;
}

/** Has everything go on, or one trigger that was paused after failures, through the running server. */
export async function resumeVerb(context: VerbContext): Promise<ExitCode> {
  const [project, trigger, ...rest] = context.arguments;
  if ((project !== undefined && trigger === undefined) || rest.length > 0) {
    throw new UsageError('resume needs a project and a trigger, or neither: svc resume.');
  }
  if (project === undefined || trigger === undefined) {
    await post(context, '/api/resume');
    context.terminal.out('Everything goes on; what was skipped is not made up for.');
    return 0;
  }
  const [slug, name] = [project, trigger].map(encodeURIComponent);
  const path = `/api/projects/${slug}/triggers/${name}/resume`;
  const { resumed } = await post<{ resumed: boolean }>(context, path);
  context.terminal.out(resumed ? `${trigger} goes on.` : `${trigger} was not paused.`);
  return 0;
}

async function post<T>(context: VerbContext, path: string, body?: object): Promise<T> {
  const call = await running(context);
  const answer = await call('POST', path, body);
  if (answer.status < 300) return answer.body as T;
  const { error = `The server answered ${answer.status}.`, issues = [] } = answer.body as {
    readonly error?: string;
    readonly issues?: readonly { readonly path: string; readonly message: string }[];
  };
  const faults = issues.map((issue) => `${issue.path} ${issue.message}`).join(' ');
  throw new CommandError(faults === '' ? error : faults);
}

async function running({ home }: VerbContext): Promise<CallServer> {
  await requireHome(home);
  const server = await readInstanceFile(home.instanceFile);
  if (server === null) throw new CommandError('No server runs for this home: start svc serve.');
  return createServerCaller(server, createSystemClock(), () => readInstanceFile(home.instanceFile));
}
