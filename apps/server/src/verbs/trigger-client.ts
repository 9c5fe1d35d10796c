import { type Issue, messageOf, silentLogger } from '@svc/core';
import {
  type OperationError,
  type OperationResults,
  type Operations,
  type RowName,
  USER,
} from '@svc/ops';
import type { Message, Run } from '@svc/records';
import { drain, type Stoppable } from '../draining.ts';
import { type EventFile, eventRefusal } from '../event-file.ts';
import { openInstance } from '../instance.ts';
import { CommandError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import type { RunningServer } from './service-access.ts';

/** A started run. */
export interface Started {
  readonly sessionId: string;
  readonly runId: string;
  /** Present if the trigger does not fire automatically at the moment. */
  readonly notice?: string;
}

/** Fires a trigger, and reads the run. */
export interface TriggerClient {
  start(project: string, trigger: string, event: EventFile | null): Promise<Started>;
  /** @throws UnansweredError if the server does not respond, for example during a restart */
  run(project: string, runId: string): Promise<Run>;
  /** The newest messages of a chat, oldest first. */
  messages(project: string, sessionId: string): Promise<readonly Message[]>;
  projects(): Promise<readonly string[]>;
  /** Names of all entries of a project, also of invalid ones; empty if the project does not exist. */
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

/** The server does not respond at the moment; the run may continue. */
export class UnansweredError extends CommandError {}

const namesOf = ({ triggers, legacySchedules, invalid }: Lists): string[] =>
  [...triggers, ...legacySchedules, ...invalid].map(({ name }) => name);

const MAX_MESSAGES = 100;

/** Fires through a running server. */
export function createServerTriggerClient({ call: callServer }: RunningServer): TriggerClient {
  const ask = (method: string, path: string, body?: object) =>
    callServer(method, `/api/projects${path}`, body);
  const call = async (method: string, path: string): Promise<unknown> => {
    const answer = await ask(method, path);
    if (answer.status < 300) return answer.body;
    throw refusalOf(answer);
  };
  const part = encodeURIComponent;
  return {
    async start(project, trigger, event) {
      const path = `/${part(project)}/triggers/${part(trigger)}/run`;
      const answer = await ask('POST', path, event === null ? undefined : { event: event.data });
      if (answer.status < 300) return answer.body as Started;
      throw refusalOf(answer, event);
    },
    async run(project, runId) {
      const path = `/${part(project)}/runs/${runId}`;
      const answer = await ask('GET', path).catch((error: unknown) => {
        throw new UnansweredError(messageOf(error));
      });
      if (answer.status === 503) throw new UnansweredError(refusalOf(answer).message);
      if (answer.status < 300) return answer.body as Run;
      throw refusalOf(answer);
    },
    async messages(project, sessionId) {
      const path = `/${part(project)}/chats/${sessionId}?limit=${MAX_MESSAGES}`;
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

/** Fires in this process, which opens the home. */
export async function createLocalTriggerClient(context: VerbContext): Promise<TriggerClient> {
  const { home, settings, env, version } = context;
  const instance = await openInstance({ home, settings, env, version, logger: silentLogger });
  await instance.start({ schedules: false });
  const { ops, running } = instance;
  const ask = createCaller(ops.operations);
  const { drainTimeoutMs } = settings.server;
  const work: Stoppable = {
    running,
    stop: () => instance.close(drainTimeoutMs),
    interrupt: () => instance.close(0),
  };
  return {
    async start(project, name, event) {
      const input = { project, name, ...(event !== null && { event: event.data }) };
      return ask('run_trigger', input, event);
    },
    run: (project, id) => ask('read_run', { project, run_id: id }),
    async messages(project, session_id) {
      const limit = MAX_MESSAGES;
      return (await ask('read_transcript', { project, session_id, limit })).messages;
    },
    projects: async () => (await ask('list_projects', {})).projects.map(({ slug }) => slug),
    triggers: (project) => ask('list_trigger_records', { project }).then(namesOf, () => []),
    async close() {
      await drain(work, drainTimeoutMs, context, context.terminal);
    },
  };
}

function createCaller({ call }: Operations) {
  const { signal } = new AbortController();
  return async <N extends RowName>(
    name: N,
    input: object,
    event: EventFile | null = null,
  ): Promise<OperationResults[N]> => {
    const answer = await call(USER, name, input, { signal });
    if (!answer.ok) throw refused(answer.error, event);
    return answer.value;
  };
}

function refusalOf(
  { status, body }: { readonly status: number; readonly body: unknown },
  event: EventFile | null = null,
): CommandError {
  const { error = `The server answered ${status}.`, issues = [] } = body as {
    readonly error?: string;
    readonly issues?: readonly Issue[];
  };
  return refused({ message: error, issues }, event);
}

// Issues of event data refer to the file it was read from.
function refused(
  { message, issues = [] }: Pick<OperationError, 'message' | 'issues'>,
  event: EventFile | null,
): CommandError {
  const isOfData = event !== null && issues.some(({ path }) => /^event\b/.test(path));
  return new CommandError(isOfData ? eventRefusal(event, issues) : message);
}
