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
import { type CallGuard, catalogueName, createCallGuard } from './call-guard.ts';
import { queryOptions } from './query-options.ts';
import { chooseSession, type TurnSession } from './session.ts';
import { createTranscript, type Transcript } from './transcript.ts';
import { type Close, failed, type TurnParts } from './turn-parts.ts';
import { configFolderIn } from './turn-sandbox.ts';
import { costOf, sessionCostOf } from './usage.ts';
import { untilStopped } from './wait.ts';

type SdkResult = Extract<SDKMessage, { type: 'result' }>;

interface Query {
  readonly parts: TurnParts;
  readonly guard: CallGuard;
  readonly transcript: Transcript;
  readonly session: TurnSession;
  readonly abort: AbortController;
  /** Path of the session transcript of the agent program; null if not known yet. */
  transcriptPath: string | null;
  result: SdkResult | null;
  /** Tools that the agent has although they are not listed. */
  unlisted: readonly string[];
  /** The last reported token counts. */
  reportedTokens: string;
  /** The error that the SDK threw. */
  error: unknown;
}

// The SDK gets this long to stop its program. Then all processes are killed.
const GRACE_MS = 2000;
const MAX_PROJECT_INSTRUCTIONS = 256 * 1024;

/** Runs a query of the SDK and yields its events. */
export async function* runQuery(parts: TurnParts): AsyncGenerator<TurnEvent, Close> {
  const session = await chooseSession(parts.state, parts.spec);
  if (session.notice !== null) yield { type: 'message', message: noticeMessage(session.notice) };
  const query = openQuery(parts, session);
  const { signal } = parts;
  const stop = (): void => query.abort.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* runSdk(query);
  } catch (error) {
    // The SDK also throws after an error result.
    query.error = error;
  } finally {
    signal.removeEventListener('abort', stop);
    if (query.result === null) stop();
    await countUsage(query);
  }
  return endOf(query);
}

function openQuery(parts: TurnParts, session: TurnSession): Query {
  const { spec, policy, places } = parts;
  const resultsFolder = (): string | null =>
    query.transcriptPath?.replace(/\.jsonl$/, '/tool-results') ?? null;
  const guard = createCallGuard({
    spec,
    policy,
    places,
    resultsFolder,
    hasProxy: parts.sandbox?.state === 'enforced',
  });
  const query: Query = {
    parts,
    guard,
    transcript: createTranscript(guard),
    session,
    abort: new AbortController(),
    transcriptPath: null,
    result: null,
    unlisted: [],
    reportedTokens: '',
    error: null,
  };
  return query;
}

async function* runSdk(query: Query): AsyncGenerator<TurnEvent, void> {
  const { parts, abort } = query;
  const { deps, sdk, spec, signal, relay } = parts;
  const options = queryOptions({
    ...query,
    ...parts,
    program: parts.found.program,
    configFolder:
      parts.sandbox === null ? await parts.state.config() : configFolderIn(parts.sandbox),
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
    yield* eventsOf(query, message);
    await reportUsage(query);
    if (query.unlisted.length > 0) return abort.abort();
    if (relay.exhausted && query.result === null) return abort.abort();
  }
}

async function* eventsOf(query: Query, message: SDKMessage): AsyncGenerator<TurnEvent, void> {
  const { guard, parts, transcript } = query;
  if (message.type === 'result') query.result = message;
  if (message.type === 'system' && message.subtype === 'init') {
    parts.tally.model = message.model;
    query.unlisted = message.tools.map(catalogueName).filter((tool) => !guard.tools.includes(tool));
    if (query.unlisted.length > 0) return;
    yield { type: 'session', ref: message.session_id };
  }
  const within = withinOf(message);
  for (const entry of await transcript.add(message)) {
    yield { type: 'message', message: entry, ...within };
  }
}

function withinOf(message: SDKMessage): { within?: string } {
  const hasParent = message.type === 'assistant' || message.type === 'user';
  const within = hasParent ? message.parent_tool_use_id : null;
  return within === null ? {} : { within };
}

// The SDK reports the cost only at the end. Until then, it is known only for configured prices.
async function reportUsage(query: Query): Promise<void> {
  const { spec, relay, options } = query.parts;
  const costMicrousd = costOf(relay.tokens, null, null, options.prices ?? null);
  const tokens = `${relay.tokens.in} ${relay.tokens.out}`;
  if (costMicrousd === null || tokens === query.reportedTokens) return;
  query.reportedTokens = tokens;
  await spec.onUsage?.({ tokensIn: relay.tokens.in, tokensOut: relay.tokens.out, costMicrousd });
}

// A new session in an existing chat, for example after a change of the runtime, gets the chat history.
async function promptOf({ parts: { spec }, session }: Query): Promise<string> {
  const history = session.knowsHistory ? null : historyText(await spec.history());
  const prompt = promptText(spec.prompt);
  return history === null ? prompt : `${history}\n\n${prompt}`;
}

async function instructionsOf({ spec, options, places }: TurnParts): Promise<string> {
  if (!options.projectInstructions) return spec.instructions;
  const bytes = await places.read('CLAUDE.md', MAX_PROJECT_INSTRUCTIONS);
  if (bytes === null) return spec.instructions;
  return `${spec.instructions}\n\n${Buffer.from(bytes).toString()}`;
}

async function countUsage({ parts, session, transcript, result }: Query): Promise<void> {
  const { tally, relay, state, options } = parts;
  tally.toolCalls = transcript.progress.calls;
  tally.toolErrors = transcript.errors;
  tally.denied = transcript.denied;
  tally.tokensIn = relay.tokens.in;
  tally.tokensOut = relay.tokens.out;
  const cost = result === null ? null : sessionCostOf(result);
  const costBefore = session.costBase === null ? 0 : await state.costOf(session.costBase);
  tally.costMicrousd = costOf(relay.tokens, cost, costBefore, options.prices ?? null);
  if (cost !== null && result !== null) await state.saveCost(result.session_id, cost.totalUsd);
}

function endOf({ parts, unlisted, result, error, transcript }: Query): Close {
  const { spec, signal, relay, process } = parts;
  if (signal.aborted) {
    const { kind, reason } = stopOf(signal);
    return { outcome: kind, reason };
  }
  if (unlisted.length > 0) {
    const names = unlisted.join(', ');
    return failed(`The agent program has tools that this turn does not list: ${names}.`);
  }
  if (result?.subtype === 'error_max_budget_usd') {
    return failed('The turn reached the daily cost limit.');
  }
  if (relay.exhausted || result?.subtype === 'error_max_turns') {
    const calls = spec.limits.maxTurns === 1 ? 'call' : 'calls';
    const reason = `Stopped after ${spec.limits.maxTurns} model ${calls} (maxTurns).`;
    return { outcome: 'max_turns', reason };
  }
  if (result === null) {
    const detail = process.stderrTail.trim() === '' ? messageOf(error) : process.stderrTail;
    return failed(`The agent program failed: ${oneLine(detail)}`);
  }
  return result.is_error
    ? failed(`The model failed: ${oneLine(errorOf(result))}`)
    : closeOf(transcript.progress);
}

function errorOf(result: SdkResult): string {
  const text = result.subtype === 'success' ? result.result : result.errors.join(' ');
  return text.trim() === '' ? result.subtype : text;
}
