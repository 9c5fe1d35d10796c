import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import {
  closeOf,
  historyText,
  noticeMessage,
  oneLine,
  promptText,
  stopOf,
  type TurnEvent,
} from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { type CallFence, catalogueName, createCallFence } from './call-fence.ts';
import { queryOptions } from './query-options.ts';
import { chooseSession, type TurnSession } from './session.ts';
import { createTranscript, type Transcript } from './transcript.ts';
import { type Close, failed, type TurnParts } from './turn-parts.ts';
import { costOf, sessionCostOf } from './usage.ts';
import { untilStopped } from './waiting.ts';

type SdkResult = Extract<SDKMessage, { type: 'result' }>;

interface Query {
  readonly parts: TurnParts;
  readonly fence: CallFence;
  readonly transcript: Transcript;
  readonly session: TurnSession;
  readonly abort: AbortController;
  /** Where the agent's program keeps the session's transcript. */
  transcriptPath: string | null;
  result: SdkResult | null;
  /** Tools that the agent has and must not have. */
  foreign: readonly string[];
  /** Tokens that were told last. */
  toldTokens: string;
  /** What the SDK threw. */
  fault: unknown;
}

// How long the SDK may take to stop its program; what is left then is ended.
const GRACE_MS = 2000;
const MAX_PROJECT_INSTRUCTIONS = 256 * 1024;

/** Asks the SDK, tells what comes of it, and says how that ended. */
export async function* runQuery(parts: TurnParts): AsyncGenerator<TurnEvent, Close> {
  const session = await chooseSession(parts.state, parts.spec);
  if (session.notice !== null) yield { type: 'message', message: noticeMessage(session.notice) };
  const query = openQuery(parts, session);
  const { signal } = parts;
  const stop = (): void => query.abort.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* ask(query);
  } catch (error) {
    // After a result that is an error, the SDK throws as well.
    query.fault = error;
  } finally {
    signal.removeEventListener('abort', stop);
    if (query.result === null) stop();
    await count(query);
  }
  return endOf(query);
}

function openQuery(parts: TurnParts, session: TurnSession): Query {
  const { spec, policy, places } = parts;
  const resultsFolder = (): string | null =>
    query.transcriptPath?.replace(/\.jsonl$/, '/tool-results') ?? null;
  const fence = createCallFence({ spec, policy, places, resultsFolder });
  const query: Query = {
    parts,
    fence,
    transcript: createTranscript(fence),
    session,
    abort: new AbortController(),
    transcriptPath: null,
    result: null,
    foreign: [],
    toldTokens: '',
    fault: null,
  };
  return query;
}

async function* ask(query: Query): AsyncGenerator<TurnEvent, void> {
  const { parts, abort } = query;
  const { deps, sdk, spec, signal, relay } = parts;
  const options = queryOptions({
    ...query,
    ...parts,
    program: parts.found.program,
    configFolder: await parts.state.config(),
    model: spec.model ?? parts.options.model,
    systemPrompt: await instructionsOf(parts),
    session: query.session.options,
    effects: deps.operations,
    onTranscriptPath: (path) => {
      query.transcriptPath = path;
    },
  });
  const prompt = await promptOf(query);
  if (signal.aborted) return;
  const messages = sdk.query({ prompt, options });
  for await (const message of untilStopped(messages, signal, deps.clock, GRACE_MS)) {
    yield* tell(query, message);
    await reportUsage(query);
    if (query.foreign.length > 0) return abort.abort();
    if (relay.exhausted && query.result === null) return abort.abort();
  }
}

async function* tell(query: Query, message: SDKMessage): AsyncGenerator<TurnEvent, void> {
  const { fence, parts, transcript } = query;
  if (message.type === 'result') query.result = message;
  if (message.type === 'system' && message.subtype === 'init') {
    parts.tally.model = message.model;
    query.foreign = message.tools.map(catalogueName).filter((tool) => !fence.tools.includes(tool));
    if (query.foreign.length > 0) return;
    yield { type: 'session', ref: message.session_id };
  }
  const within = withinOf(message);
  for (const each of await transcript.take(message)) {
    yield { type: 'message', message: each, ...within };
  }
}

function withinOf(message: SDKMessage): { within?: string } {
  const isSaid = message.type === 'assistant' || message.type === 'user';
  const within = isSaid ? message.parent_tool_use_id : null;
  return within === null ? {} : { within };
}

// Before the end only what has a price of its own can be told.
async function reportUsage(query: Query): Promise<void> {
  const { spec, relay, options } = query.parts;
  const costMicrousd = costOf(relay.tokens, null, null, options.prices ?? null);
  const tokens = `${relay.tokens.in} ${relay.tokens.out}`;
  if (costMicrousd === null || tokens === query.toldTokens) return;
  query.toldTokens = tokens;
  await spec.onUsage?.({ tokensIn: relay.tokens.in, tokensOut: relay.tokens.out, costMicrousd });
}

// A session that begins in a chat that has begun before, as on another runtime, is told what was said there.
async function promptOf({ parts: { spec }, session }: Query): Promise<string> {
  const history = session.knowsBefore ? null : historyText(await spec.history());
  const prompt = promptText(spec.prompt);
  return history === null ? prompt : `${history}\n\n${prompt}`;
}

async function instructionsOf({ spec, options, places }: TurnParts): Promise<string> {
  if (!options.projectInstructions) return spec.instructions;
  const bytes = await places.read('CLAUDE.md', MAX_PROJECT_INSTRUCTIONS);
  if (bytes === null) return spec.instructions;
  return `${spec.instructions}\n\n${Buffer.from(bytes).toString()}`;
}

async function count({ parts, session, transcript, result }: Query): Promise<void> {
  const { tally, relay, state, options } = parts;
  tally.toolCalls = transcript.progress.calls;
  tally.toolErrors = transcript.errors;
  tally.denied = transcript.denied;
  tally.tokensIn = relay.tokens.in;
  tally.tokensOut = relay.tokens.out;
  const cost = result === null ? null : sessionCostOf(result);
  const before = session.before === null ? 0 : await state.costOf(session.before);
  tally.costMicrousd = costOf(relay.tokens, cost, before, options.prices ?? null);
  if (cost !== null && result !== null) await state.keepCost(result.session_id, cost.totalUsd);
}

function endOf({ parts, foreign, result, fault, transcript }: Query): Close {
  const { spec, signal, relay, process } = parts;
  if (signal.aborted) {
    const { kind, reason } = stopOf(signal);
    return { outcome: kind, reason };
  }
  if (foreign.length > 0) {
    const names = foreign.join(', ');
    return failed(`The agent's program offers tools that this turn must not have: ${names}.`);
  }
  if (result?.subtype === 'error_max_budget_usd') {
    return failed('It cost what was left of the smallest daily limit of cost.');
  }
  if (relay.exhausted || result?.subtype === 'error_max_turns') {
    const calls = spec.limits.maxTurns === 1 ? 'call' : 'calls';
    const reason = `The limit of ${spec.limits.maxTurns} model ${calls} was reached.`;
    return { outcome: 'max_turns', reason };
  }
  if (result === null) {
    const why = process.complaints.trim() === '' ? messageOf(fault) : process.complaints;
    return failed(`The agent's program failed: ${oneLine(why)}`);
  }
  return result.is_error
    ? failed(`The model failed: ${oneLine(faultOf(result))}`)
    : closeOf(transcript.progress);
}

function faultOf(result: SdkResult): string {
  const text = result.subtype === 'success' ? result.result : result.errors.join(' ');
  return text.trim() === '' ? result.subtype : text;
}
