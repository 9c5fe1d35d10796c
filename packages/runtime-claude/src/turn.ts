import { realpath } from 'node:fs/promises';
import {
  createTally,
  endOf,
  openPlaces,
  recordOf,
  stopOf,
  type TurnEvent,
  type TurnSpec,
} from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { createAgentProcess } from './adapters/agent-process.ts';
import { loadError } from './adapters/find-sdk.ts';
import { openRelay, type RelayObserver } from './adapters/relay.ts';
import { type ClaudeParts, missingKeyReason } from './claude-parts.ts';
import { runQuery } from './run-query.ts';
import { sessionIdOf } from './session.ts';
import { type Close, failed, type Tally, type TurnParts } from './turn-parts.ts';
import { type OpenedSandbox, openTurnSandbox } from './turn-sandbox.ts';
import { acquire, waitAtMost } from './wait.ts';

const ANTHROPIC = 'https://api.anthropic.com';
// After the query, the agent program gets this long to exit before it is killed.
const EXIT_MS = 2000;

/** Runs one turn. */
export async function* runTurn(
  parts: ClaudeParts,
  spec: TurnSpec,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void> {
  const tally: Tally = { ...createTally(), model: spec.model ?? parts.options.model };
  let close: Close;
  try {
    close = yield* runInSession(parts, spec, signal, tally);
  } catch (error) {
    const facts = { turnId: spec.turnId, error: messageOf(error) };
    parts.deps.logger.error(facts, 'turn failed unexpectedly');
    close = failed(`The turn failed: ${messageOf(error)}.`);
  }
  yield { type: 'ended', end: endOf(tally, close) };
}

// Concurrent turns of a session would overwrite each other's session file.
async function* runInSession(
  parts: ClaudeParts,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
): AsyncGenerator<TurnEvent, Close> {
  const release = await acquire(parts.sessions, sessionIdOf(spec), signal);
  try {
    if (signal.aborted) return stopped(signal);
    const missingKey = missingKeyReason(parts.options);
    if (missingKey !== null) return failed(missingKey);
    const found = await parts.findSdk();
    if (!found.ok) return failed(found.error);
    const sdk = await parts
      .importSdk(found.value)
      .catch((error: unknown) => loadError(found.value, error));
    if (typeof sdk === 'string') return failed(sdk);
    return yield* runInFolder({ ...parts, spec, signal, tally, found: found.value, sdk });
  } finally {
    release();
  }
}

// A request does not show which child turn made it.
function observerOf({ deps, spec, tally }: Pick<TurnParts, 'deps' | 'spec' | 'tally'>): {
  observer?: RelayObserver;
} {
  const { onModelCall } = spec;
  if (onModelCall === undefined) return {};
  const unknown = { answeredBy: null, costMicrousd: null, within: null };
  return {
    observer: {
      mono: () => deps.clock.mono(),
      onCall({ durationMs, tokens, error }) {
        const { in: tokensIn, out: tokensOut } = tokens;
        onModelCall({ ...unknown, model: tally.model, durationMs, tokensIn, tokensOut, error });
      },
    },
  };
}

function stopped(signal: AbortSignal): Close {
  const { kind, reason } = stopOf(signal);
  return { outcome: kind, reason };
}

async function* runInFolder(
  parts: Omit<TurnParts, 'cwd' | 'places' | 'relay' | 'process' | 'sandbox'>,
): AsyncGenerator<TurnEvent, Close> {
  const { spec, tally } = parts;
  const places = await openPlaces(spec.cwd);
  if (places === null) return failed('The project folder does not exist.');
  try {
    const cwd = await realpath(spec.cwd);
    const opened = await openTurnSandbox(parts, cwd);
    if (!opened.ok) return failed(opened.error);
    const { sandbox, network } = opened.value;
    tally.sandbox = sandbox?.state ?? 'none';
    try {
      return yield* runProgram({ ...parts, cwd, places }, opened.value);
    } finally {
      await sandbox?.close();
      tally.network = recordOf(network, tally.sandbox);
    }
  } finally {
    await places.close();
  }
}

async function* runProgram(
  parts: Omit<TurnParts, 'relay' | 'process' | 'sandbox'>,
  { sandbox, relayPort, state }: OpenedSandbox,
): AsyncGenerator<TurnEvent, Close> {
  const { deps, options, spec, tally } = parts;
  const relay = await openRelay({
    baseUrl: options.baseUrl ?? ANTHROPIC,
    key: options.apiKey(),
    maxCalls: spec.limits.maxTurns,
    port: relayPort,
    ...observerOf(parts),
  });
  const process = createAgentProcess(spec.turnId, options.user ?? null, sandbox);
  const since = deps.reaper.forks();
  const signal = sandbox === null ? parts.signal : AbortSignal.any([parts.signal, sandbox.failed]);
  try {
    return yield* runQuery({ ...parts, signal, state, sandbox, relay, process });
  } finally {
    tally.turns = relay.calls;
    relay.close();
    await waitAtMost(deps.clock, process.exited, EXIT_MS);
    const groups = process.group === null ? [] : [process.group];
    if (groups.length > 0) await deps.reaper.endTurns([spec.turnId], { groups, since });
  }
}
