import {
  createToolPolicy,
  firstOf,
  noticeMessage,
  oneLine,
  type ToolPolicy,
  type TurnEvent,
} from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
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
  withErrorLine,
} from '../turn.ts';
import { type AgentConnection, openAgentConnection } from './agent-connection.ts';
import { agentPrompt } from './agent-prompt.ts';
import { countUsage } from './count-usage.ts';
import { type Fields, fieldsOf } from './json.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { canAllowOnce, decidePermission, permissionResponse } from './permission.ts';
import { AgentError, RpcError } from './rpc-connection.ts';
import { disconnectClose, limitClose, stopReasonClose } from './stop-reason.ts';
import { Transcript } from './transcript.ts';
import { createTurnOperations } from './turn-operations.ts';

// An agent that needs longer to open a session has most likely hung.
const OPEN_SESSION_MS = 120_000;
const CANCEL_MS = 2000;
const EXIT_MS = 1000;
// The store limits references to this length, and a shortened one cannot be resumed.
const MAX_REFERENCE_LENGTH = 1000;
// Beyond this many queued events, reading from the agent pauses.
const MAX_QUEUED_EVENTS = 200;

/** The state of a running turn. */
interface AcpTurn extends TurnParts {
  readonly policy: ToolPolicy;
  readonly events: Channel<TurnEvent>;
  readonly transcript: Transcript;
  readonly agent: AgentConnection;
  /** null until the prompt is sent; earlier updates are ignored. */
  session: OpenSession | null;
  endpoint: OperationsEndpoint | null;
  /** Called when the limit of model calls is exceeded. */
  stopForLimit(): void;
  isLimitExceeded: boolean;
}

/** Runs one turn over the Agent Client Protocol. */
export const runAcp: ProtocolTurn = async function* (parts) {
  const turn = createTurn(parts);
  const closing = runTurn(turn);
  try {
    yield* turn.events.values();
    return await closing;
  } finally {
    await parts.command.end();
  }
};

function createTurn(parts: TurnParts): AcpTurn {
  const { command, deps, spec, tally } = parts;
  const policy = createToolPolicy(deps.operations);
  const events: Channel<TurnEvent> = createChannel(() => command.stdout.resume());
  const emit = (message: Extract<TurnEvent, { type: 'message' }>['message']): void =>
    events.push({ type: 'message', message });
  const transcript = new Transcript({ spec, policy, tally, emit });
  const agent = openAgentConnection(deps.clock, command, {
    onRequest: (method, params) =>
      method === 'session/request_permission' ? answerPermission(turn, params) : undefined,
    onNotification: (method, params) => {
      if (method === 'session/update') applyUpdate(turn, fieldsOf(params['update']));
    },
    shouldPause: () => events.size() > MAX_QUEUED_EVENTS,
  });
  const turn: AcpTurn = {
    ...parts,
    policy,
    events,
    transcript,
    agent,
    session: null,
    endpoint: null,
    stopForLimit: () => {},
    isLimitExceeded: false,
  };
  return turn;
}

// While a session is being loaded, the agent replays its earlier messages, which the chat already has.
function applyUpdate(turn: AcpTurn, update: Fields): void {
  if (turn.session === null || turn.isLimitExceeded || turn.signal.aborted) return;
  turn.transcript.update(update);
  checkLimit(turn);
}

function checkLimit(turn: AcpTurn): void {
  const { tally, spec, transcript } = turn;
  const { maxTurns } = spec.limits;
  if (turn.isLimitExceeded || !transcript.exceeds(maxTurns)) return;
  turn.isLimitExceeded = true;
  tally.turns = maxTurns;
  turn.stopForLimit();
}

async function answerPermission(turn: AcpTurn, params: Fields): Promise<object> {
  const { transcript, policy, spec, signal } = turn;
  const cancelled = { outcome: { outcome: 'cancelled' } };
  if (turn.session === null || signal.aborted || turn.isLimitExceeded) return cancelled;
  const update = fieldsOf(params['toolCall']);
  const call = transcript.noteRequest(update);
  checkLimit(turn);
  if (turn.isLimitExceeded) return cancelled;
  const verdict = await decidePermission(policy, spec, call);
  const options = params['options'];
  if (verdict.runs && canAllowOnce(options)) {
    transcript.allow(update);
    return permissionResponse(options, true);
  }
  const [tool, reason] = verdict.runs
    ? ['permission', 'The agent offered no permission option for a single call.']
    : [verdict.tool, verdict.reason];
  transcript.refuse(update, tool, reason);
  return permissionResponse(options, false);
}

async function runTurn(turn: AcpTurn): Promise<Close> {
  try {
    return await runSession(turn);
  } catch (error) {
    if (error instanceof AgentError) return failed(oneLine(error.message));
    turn.deps.logger.error(
      { turnId: turn.spec.turnId, error: messageOf(error) },
      'turn failed unexpectedly',
    );
    return failed(`The turn failed: ${oneLine(messageOf(error))}.`);
  } finally {
    turn.transcript.finish();
    await turn.endpoint?.close();
    await turn.command.end();
    turn.events.end();
  }
}

async function runSession(turn: AcpTurn): Promise<Close> {
  const { deps, agent, signal } = turn;
  const opening = openTurnSession(turn);
  const outcome = await firstOf(
    deps.clock,
    OPEN_SESSION_MS,
    signal,
    Promise.race([opening, agent.disconnected]),
  );
  if (outcome === 'aborted') return stopClose(signal);
  if (outcome === 'timed_out') {
    const sentence = `The agent did not open a session within ${OPEN_SESSION_MS / 1000} s`;
    return failed(oneLine(withErrorLine(sentence, agent.lastOutput())));
  }
  const disconnect = await Promise.race([agent.disconnected, opening.then(() => null)]);
  if (disconnect !== null) return disconnectClose(agent, disconnect);
  return runPrompt(turn, await opening);
}

async function openTurnSession(turn: AcpTurn): Promise<OpenSession> {
  const { spec, options, agent, policy, transcript, signal } = turn;
  const operations = createTurnOperations(
    policy,
    spec,
    (...denial) => transcript.refuseOperation(...denial),
    signal,
  );
  const session = await openSession(agent.rpc, {
    cwd: spec.cwd,
    // Resuming the session of the original chat would change that chat.
    resume: spec.resume === null || spec.resume.fork ? null : spec.resume.ref,
    model: spec.model,
    defaultModel: options.model,
    async operations() {
      if (operations === null) return null;
      turn.endpoint = await openOperationsEndpoint(operations, turn.operationsPort);
      const { url, authorization } = turn.endpoint;
      const headers = [{ name: 'Authorization', value: authorization }];
      return { type: 'http', name: 'svc_manage', url, headers };
    },
  });
  if (operations !== null && !session.supportsOperations) {
    emitNotice(
      turn,
      'The agent does not support MCP servers over HTTP, so it has no svc operations in this turn.',
    );
  }
  if (session.notice !== null) emitNotice(turn, session.notice);
  return session;
}

function emitNotice({ events }: AcpTurn, text: string): void {
  events.push({ type: 'message', message: noticeMessage(text) });
}

async function runPrompt(turn: AcpTurn, session: OpenSession): Promise<Close> {
  const { deps, events, agent, signal, tally, transcript, options } = turn;
  if (!session.resumed && session.id.length <= MAX_REFERENCE_LENGTH) {
    events.push({ type: 'session', ref: session.id });
  }
  tally.model = session.model;
  tally.turns = 1;
  const limit = new AbortController();
  turn.stopForLimit = () => limit.abort();
  const prompt = [{ type: 'text', text: await agentPrompt(turn.spec, session.resumed) }];
  turn.session = session;
  const request = agent.rpc.request('session/prompt', { sessionId: session.id, prompt });
  const stop = AbortSignal.any([signal, limit.signal]);
  const settled = Promise.race([request, agent.disconnected]);
  const outcome = await firstOf(deps.clock, 2 ** 31 - 1, stop, settled);
  if (outcome === 'aborted') {
    agent.rpc.notify('session/cancel', { sessionId: session.id });
    await firstOf(deps.clock, CANCEL_MS, null, settled);
    return signal.aborted ? stopClose(signal) : limitClose(turn.spec);
  }
  try {
    const response = await Promise.race([request, agent.disconnected.then(() => null)]);
    if (response === null) return disconnectClose(agent, await agent.disconnected);
    countUsage(tally, response, options.prices);
    await waitForExit(turn);
    return stopReasonClose(response['stopReason'], transcript);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return failed(oneLine(`The agent failed: ${error.message}`));
  }
}

// Agents save their session when their input closes, so they get some time before they are killed.
async function waitForExit({ command, deps, signal }: AcpTurn): Promise<void> {
  command.stdin.end();
  await firstOf(deps.clock, EXIT_MS, signal, command.exit);
}
