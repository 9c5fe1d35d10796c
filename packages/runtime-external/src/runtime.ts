import { isAbsolute } from 'node:path';
import {
  createServicePort,
  createTally,
  createTurnNetwork,
  endOf,
  hostListsOf,
  type Runtime,
  type RuntimeCapabilities,
  type RuntimeSandbox,
  recordOf,
  type ServicePort,
  type Tally,
  type TurnEvent,
  type TurnNetwork,
  type TurnSandbox,
  type TurnSpec,
} from '@svc/agent-runtime';
import { failure, messageOf, type Result, success } from '@svc/core';
import {
  type Capability,
  canConnect,
  GRANTABLE_TOOLS,
  MANAGE_PREFIX,
  PERMISSION_MODES,
} from '@svc/records';
import { entryText } from '@svc/sandbox';
import { runAcp } from './acp/acp-turn.ts';
import { startCommand } from './adapters/command.ts';
import { findCommand } from './adapters/find-command.ts';
import type { ExternalRuntimeDeps, ExternalRuntimeOptions } from './options.ts';
import { runText } from './text-turn.ts';
import { type Close, failed, stopClose } from './turn.ts';

// `plan` needs a runtime that can block everything but reading.
const MODES = PERMISSION_MODES.filter((mode) => mode !== 'plan');
const UNSUPPORTED_TOOLS: readonly string[] = ['NotebookEdit', 'Task'];

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
// What a sandbox can enforce for a command that knows no tools: read or write access, and network.
const TEXT_TOOLS = GRANTABLE_TOOLS.filter((name) => !name.startsWith(MANAGE_PREFIX));
const ACP: RuntimeCapabilities = {
  tools: GRANTABLE_TOOLS.filter((name) => !UNSUPPORTED_TOOLS.includes(name)),
  toolAllowList: 'asked',
  maxTurns: 'approximate',
  permissionModes: MODES,
  resume: true,
  fork: true,
  svcManage: 'http',
  cost: 'tokens',
};

interface RuntimeParts {
  readonly deps: ExternalRuntimeDeps;
  readonly options: ExternalRuntimeOptions;
}

/**
 * Creates a runtime from a configured command. Each turn starts the command in the project folder with its own environment,
 * and kills all processes that the command started.
 */
export function createExternalRuntime(
  deps: ExternalRuntimeDeps,
  options: ExternalRuntimeOptions,
): Runtime {
  const parts: RuntimeParts = { deps, options };
  return {
    id: options.id,
    holds: externalHolds(options, options.sandboxes?.limitsNetwork ?? false),
    sandbox: sandboxOf(options),
    async probe() {
      const program = await findProgram(parts, deps.path);
      return program.ok ? { ready: true } : { ready: false, reason: program.error };
    },
    start: (spec, signal) => runTurn(parts, spec, signal),
  };
}

/**
 * The limits that a command with these options enforces.
 *
 * @param limitsNetwork whether it runs in a sandbox that limits its network
 */
export function externalHolds(
  { protocol, prices }: Pick<ExternalRuntimeOptions, 'protocol' | 'prices'>,
  limitsNetwork: boolean,
): RuntimeCapabilities {
  const own = protocol === 'text' ? TEXT : ACP;
  return {
    ...own,
    ...(limitsNetwork
      ? { network: 'all', tools: protocol === 'text' ? TEXT_TOOLS : own.tools }
      : {}),
    ...(protocol === 'acp' && prices !== null ? { cost: 'estimate' } : {}),
  };
}

function sandboxOf({ hosts, sandboxes }: ExternalRuntimeOptions): RuntimeSandbox | null {
  const shown = sandboxes?.shown ?? null;
  if (shown === null) return null;
  const always = (hosts?.entries ?? []).map(entryText);
  return {
    hostsOf(capability) {
      const names = shown.hostsOf(capability);
      return names && [...new Set([...(mayConnect(capability) ? names : []), ...always])];
    },
  };
}

function findProgram({ options }: RuntimeParts, path: string): Promise<Result<string, string>> {
  const missing = Object.keys(options.env).filter((name) => options.env[name] === null);
  if (missing.length === 0) return findCommand(options.command, path);
  const names = missing.join(', ');
  const reason = `The ${options.id} runtime needs ${names} in the environment of svc. Set it and restart svc.`;
  return Promise.resolve(failure(reason));
}

async function* runTurn(
  parts: RuntimeParts,
  spec: TurnSpec,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void> {
  const tally = createTally();
  const close = signal.aborted ? stopClose(signal) : yield* runCommand(parts, spec, signal, tally);
  yield { type: 'ended', end: endOf(tally, close) };
}

async function* runCommand(
  parts: RuntimeParts,
  spec: TurnSpec,
  signal: AbortSignal,
  tally: Tally,
): AsyncGenerator<TurnEvent, Close> {
  const { deps, options } = parts;
  const env = environmentOf(options, spec);
  const program = await findProgram(parts, env['PATH'] ?? deps.path);
  if (!program.ok) return failed(program.error);
  const network = networkOf(parts, spec);
  const service = createServicePort();
  const opened = await openSandbox(options, spec, program.value, network, service);
  if (!opened.ok) return failed(opened.error);
  const sandbox = opened.value;
  const { turnId, cwd } = spec;
  const { args, user = null } = options;
  const command = { turnId, program: program.value, args, cwd, env, user, sandbox };
  const started = await startCommand(deps, command);
  if (!started.ok) {
    await sandbox?.close();
    return failed(started.error);
  }
  tally.sandbox = sandbox?.state ?? 'none';
  const operationsPort = tally.sandbox === 'enforced' ? service : null;
  const run = options.protocol === 'text' ? runText : runAcp;
  // In the sandbox the folder exists only under its real path.
  const inside = sandbox === null ? spec : { ...spec, cwd: sandbox.folder };
  const stop = sandbox === null ? signal : AbortSignal.any([signal, sandbox.failed]);
  try {
    const turn = { deps, options, spec: inside, signal: stop, tally, operationsPort };
    return yield* run({ ...turn, command: started.value });
  } catch (error) {
    const facts = { turnId, runtime: options.id, error: messageOf(error) };
    deps.logger.error(facts, 'turn failed unexpectedly');
    return failed(`The turn failed: ${messageOf(error)}.`);
  } finally {
    tally.network = recordOf(network, tally.sandbox);
  }
}

function environmentOf(
  options: ExternalRuntimeOptions,
  spec: TurnSpec,
): Readonly<Record<string, string>> {
  const configured = Object.entries(options.env).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  // The configuration must not override the variables that identify the turn.
  const marks = Object.entries(spec.env).filter(([name]) => name.startsWith('SVC_'));
  return Object.fromEntries([...Object.entries(spec.env), ...configured, ...marks]);
}

function networkOf({ deps, options }: RuntimeParts, { capability }: TurnSpec): TurnNetwork {
  const { id, hosts, sandboxes } = options;
  const lists = hostListsOf(capability, sandboxes?.network ?? {});
  const noTool = { entries: [], name: `runtime.external.${id}.hosts, or WebFetch to run.tools` };
  return createTurnNetwork(
    { clock: deps.clock, ...deps.outbound },
    mayConnect(capability) ? lists : [...lists, noTool],
    hosts,
  );
}

// The agent and the tools of its list share one network.
function mayConnect(capability: Pick<Capability, 'runsAs' | 'tools'>): boolean {
  return !isListed(capability) || canConnect(capability.tools);
}

/** Whether the tools of a turn are limited to a list. */
function isListed({ runsAs }: Pick<Capability, 'runsAs'>): boolean {
  return runsAs === 'agent';
}

async function openSandbox(
  { id, args, sandboxes, logins = [] }: ExternalRuntimeOptions,
  { project, cwd, capability }: TurnSpec,
  program: string,
  network: TurnNetwork,
  service: ServicePort,
): Promise<Result<TurnSandbox | null, string>> {
  if (sandboxes === undefined) return success(null);
  // An argument may be the script of an interpreter.
  const programs = [program, ...args.filter(isAbsolute)];
  return sandboxes.open({
    ...{ project, cwd, capability, runtime: id, programs, logins, network },
    ports: [service],
    required: isListed(capability),
  });
}
