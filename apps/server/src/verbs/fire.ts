import { silentLogger } from '@svc/core';
import { USER } from '@svc/ops';
import type { Run } from '@svc/records';
import { prepareHome } from '../home.ts';
import { openInstance } from '../instance.ts';
import { type InstanceFile, readInstanceFile } from '../instance-file.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

interface Started {
  readonly sessionId: string;
  readonly runId: string;
}

/** How to fire a trigger and read its run back. */
interface Firing {
  start(project: string, trigger: string): Promise<Started>;
  run(project: string, runId: string): Promise<Run>;
  close(): Promise<void>;
}

const LOOK_AGAIN_MS = 200;

/** Fires a trigger now: through the running server, or, where none runs, by opening the home itself. */
export async function fireVerb(context: VerbContext): Promise<ExitCode> {
  const [project, trigger, ...rest] = context.arguments;
  if (project === undefined || trigger === undefined || rest.length > 0) {
    throw new UsageError('fire needs a project and a trigger: svc fire hello heartbeat.');
  }
  const server = await readInstanceFile(context.home.instanceFile);
  const firing = server === null ? await fireInside(context) : fireThrough(server);
  try {
    const { runId, sessionId } = await firing.start(project, trigger);
    context.terminal.out(`run ${runId} in chat ${sessionId}`);
    // Without a server nobody else would see the run to its end.
    if (server !== null && context.options['wait'] !== true) return 0;
    const run = await Promise.race([ended(firing, project, runId), stopped(context, runId)]);
    context.terminal.out(`${run.outcome}${run.reason === null ? '' : `: ${run.reason}`}`);
    return run.outcome === 'succeeded' ? 0 : 1;
  } finally {
    await firing.close();
  }
}

async function stopped(context: VerbContext, runId: string): Promise<never> {
  await context.stopRequested;
  throw new CommandError(`Stopped before the end of run ${runId}.`);
}

async function ended(firing: Firing, project: string, runId: string): Promise<Run> {
  for (;;) {
    const run = await firing.run(project, runId);
    if (run.state === 'ended') return run;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function fireThrough({ url, secret }: InstanceFile): Firing {
  const call = async (method: string, path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${url}/api/projects/${path}`, { method, headers }).catch(() => {
      throw new CommandError(`The server at ${url} does not answer.`);
    });
    const body = (await response.json()) as { error?: string };
    if (!response.ok)
      throw new CommandError(body.error ?? `The server answered ${response.status}.`);
    return body;
  };
  const part = encodeURIComponent;
  return {
    start: async (project, trigger) =>
      (await call('POST', `${part(project)}/triggers/${part(trigger)}/run`)) as Started,
    run: async (project, runId) => (await call('GET', `${part(project)}/runs/${runId}`)) as Run,
    close: async () => {},
  };
}

async function fireInside(context: VerbContext): Promise<Firing> {
  const { home, settings, env, version } = context;
  await prepareHome(home);
  const instance = await openInstance({ home, settings, env, version, logger: silentLogger });
  await instance.start({ schedules: false });
  return {
    async start(project, trigger) {
      const fired = await instance.ops.triggers.run(USER, project, trigger);
      if (!fired.ok) throw new CommandError(fired.error.message);
      return fired.value;
    },
    async run(project, runId) {
      const run = await instance.ops.runs.get(project, runId);
      if (!run.ok) throw new CommandError(run.error.message);
      return run.value;
    },
    close: () => instance.close(settings.server.drainTimeoutMs),
  };
}
