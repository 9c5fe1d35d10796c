import {
  createTally,
  endOf,
  type Runtime,
  type RuntimeCapabilities,
  type Tally,
  type TurnEvent,
  type TurnSpec,
} from '@svc/agent-runtime';
import { failure, messageOf, type Result } from '@svc/core';
import { GRANTABLE_TOOLS, PERMISSION_MODES } from '@svc/records';
import { runAcp } from './acp/acp-turn.ts';
import { type Command, startCommand } from './adapters/command.ts';
import { findCommand } from './adapters/find-command.ts';
import type { ExternalRuntimeDeps, ExternalRuntimeOptions } from './options.ts';
import { runText } from './text-turn.ts';
import { type Close, failed, stopClose } from './turn.ts';

// A mode that only reads is for agents that can be kept from everything else.
const MODES = PERMISSION_MODES.filter((mode) => mode !== 'plan');
const UNMAPPED: readonly string[] = ['NotebookEdit', 'Task'];

const TEXT: RuntimeCapabilities = {
  tools: [],
  toolAllowList: 'none',
  maxTurns: 'none',
  permissionModes: MODES,
  resume: false,
  fork: false,
  svcManage: 'none',
  cost: 'none',
};
const ACP: RuntimeCapabilities = {
  tools: GRANTABLE_TOOLS.filter((name) => !UNMAPPED.includes(name)),
  toolAllowList: 'asked',
  maxTurns: 'approximate',
  permissionModes: MODES,
  resume: true,
  fork: true,
  svcManage: 'http',
  cost: 'tokens',
};

interface External {
  readonly deps: ExternalRuntimeDeps;
  readonly options: ExternalRuntimeOptions;
}

/**
 * Makes a runtime of a configured command. Each turn starts the command in the project folder, with an environment that
 * is built for it, and ends everything that it has started.
 */
export function createExternalRuntime(
  deps: ExternalRuntimeDeps,
  options: ExternalRuntimeOptions,
): Runtime {
  const external: External = { deps, options };
  return {
    id: options.id,
    holds: externalHolds(options),
    async probe() {
      const found = await programOf(external, deps.path);
      return found.ok ? { ready: true } : { ready: false, reason: found.error };
    },
    start: (spec, signal) => runTurn(external, spec, signal),
  };
}

/** What a command can hold that is spoken to in this way. */
export function externalHolds({
  protocol,
  prices,
}: Pick<ExternalRuntimeOptions, 'protocol' | 'prices'>): RuntimeCapabilities {
  if (protocol === 'text') return TEXT;
  return prices === null ? ACP : { ...ACP, cost: 'estimate' };
}

function programOf({ options }: External, path: string): Promise<Result<string, string>> {
  const missing = Object.keys(options.env).filter((name) => options.env[name] === null);
  if (missing.length === 0) return findCommand(options.command, path);
  const names = missing.join(', ');
  const reason = `The environment of svc has no ${names}, which the runtime ${options.id} needs: set it and start svc again.`;
  return Promise.resolve(failure(reason));
}

async function* runTurn(
  external: External,
  spec: TurnSpec,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void> {
  const tally = createTally();
  const close = signal.aborted
    ? stopClose(signal)
    : yield* runCommand(external, spec, signal, tally);
  yield { type: 'ended', end: endOf(tally, close) };
}

async function* runCommand(
  external: External,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
): AsyncGenerator<TurnEvent, Close> {
  const { deps, options } = external;
  const started = await start(external, spec);
  if (!started.ok) return failed(started.error);
  const run = options.protocol === 'text' ? runText : runAcp;
  try {
    return yield* run({ deps, options, spec, signal, tally, command: started.value });
  } catch (error) {
    const facts = { turnId: spec.turnId, runtime: options.id, error: messageOf(error) };
    deps.logger.error(facts, 'turn failed unexpectedly');
    return failed(`The turn failed: ${messageOf(error)}.`);
  }
}

async function start(external: External, spec: TurnSpec): Promise<Result<Command, string>> {
  const { deps, options } = external;
  const { turnId, cwd } = spec;
  const own = Object.entries(options.env).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  // The marks of the turn come from the turn, whatever is configured.
  const marks = Object.entries(spec.env).filter(([name]) => name.startsWith('SVC_'));
  const env = Object.fromEntries([...Object.entries(spec.env), ...own, ...marks]);
  const program = await programOf(external, env['PATH'] ?? deps.path);
  if (!program.ok) return program;
  const { args, user = null } = options;
  return startCommand(deps, { turnId, program: program.value, args, cwd, env, user });
}
