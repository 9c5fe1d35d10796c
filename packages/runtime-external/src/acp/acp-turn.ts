import {
  createToolPolicy,
  noticeMessage,
  oneLine,
  type ToolPolicy,
  type TurnEvent,
} from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { firstOf } from '../adapters/first-of.ts';
import {
  type OperationsEndpoint,
  openOperationsEndpoint,
} from '../adapters/operations-endpoint.ts';
import { type Channel, createChannel } from '../channel.ts';
import {
  type Close,
  failed,
  type ProtocolTurn,
  stopClose,
  type TurnParts,
  withComplaint,
} from '../turn.ts';
import { AgentFault } from './agent-fault.ts';
import { type AgentLine, openAgentLine } from './agent-line.ts';
import { RpcError } from './connection.ts';
import { type Fields, fieldsOf } from './json.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { operationsOf } from './operations.ts';
import { canAllowOnce, judge, permissionAnswer } from './permission.ts';
import { promptOf } from './prompt.ts';
import { brokenClose, closeOf, limitClose } from './stop-reason.ts';
import { Transcript } from './transcript.ts';
import { countUsage } from './usage.ts';

// An agent that has not opened a session by then never will.
const START_MS = 120_000;
// How long an agent has to end a prompt that was cancelled, and to leave when nothing more is asked of it.
const CANCEL_MS = 2000;
const LEAVE_MS = 1000;
// A reference that would not be kept whole is of no use.
const LONGEST_REFERENCE = 1000;
// Events that wait to be taken before the agent has to.
const MOST_WAITING = 200;

/** One turn at work. */
interface Work extends TurnParts {
  readonly policy: ToolPolicy;
  readonly events: Channel<TurnEvent>;
  readonly transcript: Transcript;
  readonly line: AgentLine;
  /** The session whose updates count; null until the prompt is asked. */
  session: OpenSession | null;
  endpoint: OperationsEndpoint | null;
  /** Called once the limit of model calls is passed. */
  stopForLimit(): void;
  /** Whether it was. */
  limited: boolean;
}

/** One turn of an agent over the Agent Client Protocol. */
export const runAcp: ProtocolTurn = async function* (parts) {
  const work = workOf(parts);
  const closing = conduct(work);
  try {
    yield* work.events.values();
    return await closing;
  } finally {
    await parts.command.end();
  }
};

function workOf(parts: TurnParts): Work {
  const { command, deps, spec, tally } = parts;
  const policy = createToolPolicy(deps.operations);
  const events: Channel<TurnEvent> = createChannel(() => command.stdout.resume());
  const emit = (message: Extract<TurnEvent, { type: 'message' }>['message']): void =>
    events.push({ type: 'message', message });
  const transcript = new Transcript({ spec, policy, tally, emit });
  const line = openAgentLine(deps.clock, command, {
    answer: (method, params) =>
      method === 'session/request_permission' ? permit(work, params) : undefined,
    notice: (method, params) => {
      if (method === 'session/update') follow(work, fieldsOf(params['update']));
    },
    pressed: () => events.waiting() > MOST_WAITING,
  });
  const work: Work = {
    ...parts,
    policy,
    events,
    transcript,
    line,
    session: null,
    endpoint: null,
    stopForLimit: () => {},
    limited: false,
  };
  return work;
}

// What is told of a session that is being opened was said in it before.
function follow(work: Work, update: Fields): void {
  if (work.session === null || work.limited || work.signal.aborted) return;
  work.transcript.update(update);
  checkLimit(work);
}

function checkLimit(work: Work): void {
  const { tally, spec, transcript } = work;
  const { maxTurns } = spec.limits;
  if (work.limited || !transcript.hasSpent(maxTurns)) return;
  work.limited = true;
  tally.turns = maxTurns;
  work.stopForLimit();
}

async function permit(work: Work, params: Fields): Promise<object> {
  const { transcript, policy, spec, signal } = work;
  const cancelled = { outcome: { outcome: 'cancelled' } };
  if (work.session === null || signal.aborted || work.limited) return cancelled;
  const told = fieldsOf(params['toolCall']);
  const call = transcript.asking(told);
  checkLimit(work);
  if (work.limited) return cancelled;
  const verdict = await judge(policy, spec, call);
  const options = params['options'];
  if (verdict.runs && canAllowOnce(options)) {
    transcript.allow(told);
    return permissionAnswer(options, true);
  }
  const [tool, reason] = verdict.runs
    ? ['permission', 'The agent offers no permission for just one call.']
    : [verdict.tool, verdict.reason];
  transcript.refuse(told, tool, reason);
  return permissionAnswer(options, false);
}

async function conduct(work: Work): Promise<Close> {
  try {
    return await converse(work);
  } catch (error) {
    if (error instanceof AgentFault) return failed(oneLine(error.message));
    work.deps.logger.error(
      { turnId: work.spec.turnId, error: messageOf(error) },
      'turn failed unexpectedly',
    );
    return failed(`The turn failed: ${oneLine(messageOf(error))}.`);
  } finally {
    work.transcript.finish();
    await work.endpoint?.close();
    await work.command.end();
    work.events.end();
  }
}

async function converse(work: Work): Promise<Close> {
  const { deps, line, signal } = work;
  const opening = open(work);
  const how = await firstOf(deps.clock, START_MS, signal, Promise.race([opening, line.broken]));
  if (how === 'stopped') return stopClose(signal);
  if (how === 'timed_out') {
    const sentence = `The agent opened no session within ${START_MS / 1000} seconds`;
    return failed(oneLine(withComplaint(sentence, line.hint())));
  }
  const broken = await Promise.race([line.broken, opening.then(() => null)]);
  if (broken !== null) return brokenClose(work.command, work.line, broken);
  return ask(work, await opening);
}

async function open(work: Work): Promise<OpenSession> {
  const { spec, options, line, policy, transcript, signal } = work;
  const operations = operationsOf(
    policy,
    spec,
    (...denial) => transcript.refuseOperation(...denial),
    signal,
  );
  const session = await openSession(line.connection, {
    cwd: spec.cwd,
    // To go on in the session of another chat would change that one.
    resume: spec.resume === null || spec.resume.fork ? null : spec.resume.ref,
    model: spec.model,
    usual: options.model,
    async operations() {
      if (operations === null) return null;
      work.endpoint = await openOperationsEndpoint(operations);
      const { url, authorization } = work.endpoint;
      const headers = [{ name: 'Authorization', value: authorization }];
      return { type: 'http', name: 'svc_manage', url, headers };
    },
  });
  if (operations !== null && !session.takesOperations) {
    tell(
      work,
      'The agent takes no MCP servers over HTTP: it has none of the operations of this turn.',
    );
  }
  if (session.notice !== null) tell(work, session.notice);
  return session;
}

function tell({ events }: Work, text: string): void {
  events.push({ type: 'message', message: noticeMessage(text) });
}

async function ask(work: Work, session: OpenSession): Promise<Close> {
  const { deps, events, line, signal, tally, transcript, options } = work;
  if (!session.resumed && session.id.length <= LONGEST_REFERENCE) {
    events.push({ type: 'session', ref: session.id });
  }
  tally.model = session.model;
  tally.turns = 1;
  const limit = new AbortController();
  work.stopForLimit = () => limit.abort();
  const prompt = [{ type: 'text', text: await promptOf(work.spec, session.resumed) }];
  work.session = session;
  const asked = line.connection.request('session/prompt', { sessionId: session.id, prompt });
  const stop = AbortSignal.any([signal, limit.signal]);
  const settled = Promise.race([asked, line.broken]);
  const how = await firstOf(deps.clock, 2 ** 31 - 1, stop, settled);
  if (how === 'stopped') {
    line.connection.notify('session/cancel', { sessionId: session.id });
    await firstOf(deps.clock, CANCEL_MS, null, settled);
    return signal.aborted ? stopClose(signal) : limitClose(work.spec);
  }
  try {
    const response = await Promise.race([asked, line.broken.then(() => null)]);
    if (response === null) return brokenClose(work.command, line, await line.broken);
    countUsage(tally, response, options.prices);
    await leave(work);
    return closeOf(response['stopReason'], transcript);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return failed(oneLine(`The agent failed: ${error.message}`));
  }
}

// An agent that is given time writes down its session.
async function leave({ command, deps, signal }: Work): Promise<void> {
  command.stdin.end();
  await firstOf(deps.clock, LEAVE_MS, signal, command.exit);
}
