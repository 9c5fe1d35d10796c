import { realpath } from 'node:fs/promises';
import {
  createTally,
  endOf,
  openPlaces,
  stopOf,
  type TurnEvent,
  type TurnSpec,
} from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { createAgentProcess } from './adapters/agent-process.ts';
import { notLoaded } from './adapters/find-sdk.ts';
import { openRelay, type RelayWatch } from './adapters/relay.ts';
import { type ClaudeParts, keyFault } from './parts.ts';
import { runQuery } from './run-query.ts';
import { sessionIdOf } from './session.ts';
import { type Close, failed, type Tally, type TurnParts } from './turn-parts.ts';
import { enterLine, within } from './waiting.ts';

const ANTHROPIC = 'https://api.anthropic.com';
// How long the agent's program may take to its end by itself.
const LEAVE_MS = 2000;

/** Runs one turn to its end. */
export async function* runTurn(
  parts: ClaudeParts,
  spec: TurnSpec,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void> {
  const tally: Tally = { ...createTally(), model: spec.model ?? parts.options.model };
  let close: Close;
  try {
    close = yield* inItsTurn(parts, spec, signal, tally);
  } catch (error) {
    const facts = { turnId: spec.turnId, error: messageOf(error) };
    parts.deps.logger.error(facts, 'turn failed unexpectedly');
    close = failed(`The turn failed: ${messageOf(error)}.`);
  }
  yield { type: 'ended', end: endOf(tally, close) };
}

// One turn at a time works in a session: two would write it at once.
async function* inItsTurn(
  parts: ClaudeParts,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
): AsyncGenerator<TurnEvent, Close> {
  const leave = await enterLine(parts.sessions, sessionIdOf(spec), signal);
  try {
    if (signal.aborted) return stopped(signal);
    const fault = keyFault(parts.options);
    if (fault !== null) return failed(fault);
    const found = await parts.findSdk();
    if (!found.ok) return failed(found.error);
    const sdk = await parts
      .importSdk(found.value)
      .catch((error: unknown) => notLoaded(found.value, error));
    if (typeof sdk === 'string') return failed(sdk);
    return yield* inFolder({ ...parts, spec, signal, tally, found: found.value, sdk });
  } finally {
    leave();
  }
}

// Which child turn has asked is not to be seen there.
function watchOf({ deps, spec, tally }: Pick<TurnParts, 'deps' | 'spec' | 'tally'>): {
  watch?: RelayWatch;
} {
  const { onModelCall } = spec;
  if (onModelCall === undefined) return {};
  const told = { answeredBy: null, costMicrousd: null, within: null };
  return {
    watch: {
      mono: () => deps.clock.mono(),
      asked({ durationMs, tokens, error }) {
        const { in: tokensIn, out: tokensOut } = tokens;
        onModelCall({ ...told, model: tally.model, durationMs, tokensIn, tokensOut, error });
      },
    },
  };
}

function stopped(signal: AbortSignal): Close {
  const { kind, reason } = stopOf(signal);
  return { outcome: kind, reason };
}

async function* inFolder(
  parts: Omit<TurnParts, 'cwd' | 'places' | 'relay' | 'process'>,
): AsyncGenerator<TurnEvent, Close> {
  const { deps, options, spec, tally } = parts;
  const places = await openPlaces(spec.cwd);
  if (places === null) return failed('The project folder does not exist.');
  const relay = await openRelay({
    baseUrl: options.baseUrl ?? ANTHROPIC,
    key: options.apiKey(),
    maxCalls: spec.limits.maxTurns,
    ...watchOf(parts),
  }).catch(async (error: unknown) => {
    await places.close();
    throw error;
  });
  const process = createAgentProcess(spec.turnId, options.user ?? null);
  const since = deps.reaper.forks();
  try {
    const cwd = await realpath(spec.cwd);
    return yield* runQuery({ ...parts, cwd, places, relay, process });
  } finally {
    tally.turns = relay.calls;
    relay.close();
    await within(deps.clock, process.gone, LEAVE_MS);
    const groups = process.group === null ? [] : [process.group];
    if (groups.length > 0) await deps.reaper.endTurns([spec.turnId], { groups, since });
    await places.close();
  }
}
