import { createSystemClock, silentLogger } from '@svc/core';
import { type OperationResults, type Operations, type RowName, USER } from '@svc/ops';
import type { Message, Run } from '@svc/records';
import { createServerCaller } from '../call-server.ts';
import { drain, type Stoppable } from '../draining.ts';
import { prepareHome } from '../home.ts';
import { openInstance } from '../instance.ts';
import { type InstanceFile, readInstanceFile } from '../instance-file.ts';
import { CommandError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** What a fire has started. */
export interface Started {
  readonly sessionId: string;
  readonly runId: string;
}

/** How to fire a trigger and read its run back. */
export interface Firing {
  start(project: string, trigger: string): Promise<Started>;
  run(project: string, runId: string): Promise<Run>;
  /** The newest messages of a chat, oldest first. */
  messages(project: string, sessionId: string): Promise<readonly Message[]>;
  projects(): Promise<readonly string[]>;
  /** Names of the entries of a project, those that cannot run included; none of a project that there is not. */
  triggers(project: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Named {
  readonly name: string;
}

interface Lists {
  readonly triggers: readonly Named[];
  readonly legacySchedules: readonly Named[];
  readonly invalid: readonly Named[];
}

const namesOf = ({ triggers, legacySchedules, invalid }: Lists): string[] =>
  [...triggers, ...legacySchedules, ...invalid].map(({ name }) => name);

const MOST_MESSAGES = 100;

/** Fires through the server that runs; `file` tells where it is. */
export function fireThrough(server: InstanceFile, file: string): Firing {
  const callServer = createServerCaller(server, createSystemClock(), () => readInstanceFile(file));
  const call = async (method: string, path: string): Promise<unknown> => {
    const { status, body } = await callServer(method, `/api/projects${path}`);
    if (status < 300) return body;
    const { error } = body as { error?: string };
    throw new CommandError(error ?? `The server answered ${status}.`);
  };
  const part = encodeURIComponent;
  return {
    start: async (project, trigger) =>
      (await call('POST', `/${part(project)}/triggers/${part(trigger)}/run`)) as Started,
    run: async (project, runId) => (await call('GET', `/${part(project)}/runs/${runId}`)) as Run,
    async messages(project, sessionId) {
      const path = `/${part(project)}/chats/${sessionId}?limit=${MOST_MESSAGES}`;
      return ((await call('GET', path)) as { messages: Message[] }).messages;
    },
    async projects() {
      const { projects } = (await call('GET', '')) as { projects: { slug: string }[] };
      return projects.map(({ slug }) => slug);
    },
    triggers: (project) =>
      call('GET', `/${part(project)}/triggers`).then(
        (list) => namesOf(list as Lists),
        () => [],
      ),
    close: async () => {},
  };
}

/** Fires by opening the home itself. */
export async function fireInside(context: VerbContext): Promise<Firing> {
  const { home, settings, env, version } = context;
  await prepareHome(home);
  const instance = await openInstance({ home, settings, env, version, logger: silentLogger });
  await instance.start({ schedules: false });
  const { ops, running } = instance;
  const ask = createAsking(ops.operations);
  const { drainTimeoutMs } = settings.server;
  const work: Stoppable = {
    running,
    stop: () => instance.close(drainTimeoutMs),
    interrupt: () => instance.close(0),
  };
  return {
    start: (project, name) => ask('run_trigger', { project, name }),
    run: (project, id) => ask('read_run', { project, run_id: id }),
    async messages(project, session_id) {
      const limit = MOST_MESSAGES;
      return (await ask('read_transcript', { project, session_id, limit })).messages;
    },
    projects: async () => (await ask('list_projects', {})).projects.map(({ slug }) => slug),
    triggers: (project) => ask('list_trigger_records', { project }).then(namesOf, () => []),
    async close() {
      await drain(work, drainTimeoutMs, context, context.terminal);
    },
  };
}

function createAsking({ call }: Operations) {
  const { signal } = new AbortController();
  return async <N extends RowName>(name: N, input: object): Promise<OperationResults[N]> => {
    const answer = await call(USER, name, input, { signal });
    if (!answer.ok) throw new CommandError(answer.error.message);
    return answer.value;
  };
}
