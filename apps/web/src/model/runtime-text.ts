import type { Capability } from '../data/api-types.ts';
import type { Runtime } from '../data/service.ts';
import { type Draft, toolsOf } from './draft.ts';
import { toolsText } from './run-text.ts';

/** The model that runs the fenced blocks of a prompt without AI. */
const PLAYBOOK = 'playbook';

const LISTS = {
  enforced: 'enforces the tool list',
  asked: 'enforces the tool list only where its agent asks for permission',
  none: 'does not enforce the tool list',
} as const;
const TURNS = {
  exact: 'counts model calls exactly',
  approximate: 'counts model calls approximately',
  none: 'does not count model calls',
} as const;
const COSTS = {
  estimate: 'reports tokens and an estimated cost',
  tokens: 'reports tokens but no cost',
  none: 'does not report usage',
} as const;

/** Describes what a runtime enforces and reports, in phrases that follow its name. */
export function enforcedLimitsText({ id, holds }: Runtime): string[] {
  const isPlaybook = id === 'native' && holds.cost === 'none';
  return [
    isSandboxed({ holds }) && holds.toolAllowList !== 'enforced'
      ? 'enforces the tool list in its sandbox, as read or write access and network'
      : LISTS[holds.toolAllowList],
    TURNS[holds.maxTurns],
    isPlaybook ? 'costs nothing: playbook uses no AI' : COSTS[holds.cost],
  ];
}

/** The readiness of a runtime: "ready"; "not ready: it is not installed.". */
export function readyText({ ready, reason }: Runtime): string {
  if (ready) return 'ready';
  return reason === null ? 'not ready' : `not ready: ${reason}`;
}

/** Capitalizes a phrase: "Its key is missing." */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const WHY = {
  asked: 'can only deny what its agent asks for',
  none: 'does not restrict its agent',
} as const;

/** Lists the limits of a draft that a runtime cannot enforce, each in a sentence; the service rejects them as well. */
export function unenforcedLimitsText(draft: Draft, { id, holds }: Runtime): string[] {
  const { toolAllowList } = holds;
  const why = toolAllowList === 'enforced' ? null : `${id} ${WHY[toolAllowList]}`;
  const isPlan = draft.permissionMode === 'plan';
  const knowsPlan = holds.permissionModes.includes('plan');
  const hasTools = toolsOf(draft).length > 0;
  const limits: [boolean, string][] = [
    [why !== null && hasTools && !isSandboxed({ holds }), 'The tool list'],
    [why !== null && !hasTools && draft.when === 'event', 'The empty tool list'],
    [isPlan && (why !== null || !knowsPlan), 'The permission mode plan'],
    [why !== null && draft.maxSpawnDepth.trim() !== '', 'The maximum spawn depth'],
  ];
  return limits
    .filter(([isUnheld]) => isUnheld)
    .map(([, limit]) => `${limit} is not enforced: ${why ?? `${id} does not support it`}.`);
}

/**
 * Whether turns of a runtime may cost money.
 *
 * @param model the requested or default model; empty when it is not known
 */
export function mayCost({ id, holds }: Runtime, model: string): boolean {
  return id !== 'native' || (holds.cost !== 'none' && model !== PLAYBOOK);
}

/** Whether a turn runs the steps in its prompt without AI. */
export function runsSteps(runtime: Runtime, model: string): boolean {
  return runtime.id === 'native' && !mayCost(runtime, model);
}

/** The part of a runtime that decides how the limits of a chat are enforced. */
export type RuntimeLimits = Pick<Runtime, 'id' | 'holds'> & { readonly runsSteps: boolean };

/** The tools of a chat, as far as its runtime enforces them: "Read, Bash". */
export function enforcedToolsText(
  capability: Capability,
  runtime: RuntimeLimits | undefined,
): string {
  const isBare = capability.runsAs === 'keeper' && capability.tools.length === 0;
  if (runtime === undefined && isBare) return 'everything that its runtime provides';
  const list = runtime?.holds.toolAllowList ?? 'enforced';
  if (list === 'none' && !isEnforcedAsAccess(capability, runtime))
    return `everything that ${runtime?.id} provides, without restrictions`;
  const tools = toolsText(capability);
  if (list !== 'enforced' && isEnforcedAsAccess(capability, runtime)) {
    return `${tools} (enforced as read or write access and network)`;
  }
  return list === 'asked'
    ? `${tools} (enforced only for calls that the agent asks permission for)`
    : tools;
}

function isEnforcedAsAccess({ runsAs }: Capability, runtime: RuntimeLimits | undefined): boolean {
  return runtime !== undefined && runsAs === 'agent' && isSandboxed(runtime);
}

/** Whether everything but file tools runs in a sandbox with a limited network. */
export function isSandboxed({ holds }: Pick<Runtime, 'holds'>): boolean {
  return holds.network === 'all';
}

/** What `who`, such as Bash, can access on the machine. */
export function accessText(who: string, runtime: Pick<Runtime, 'holds'> | undefined): string {
  return runtime !== undefined && isSandboxed(runtime)
    ? `${who} runs in a sandbox: it can access the project folder and installed programs, and connect to allowed hosts.`
    : `${who} is not confined: it can access everything that its user account can access.`;
}

/** The limit of model calls, as far as the runtime of the chat enforces it; null when it does not count them. */
export function callsText(
  { maxTurns }: Pick<Capability, 'maxTurns'>,
  runtime: RuntimeLimits | undefined,
): string | null {
  const counted = runtime?.holds.maxTurns ?? 'exact';
  if (counted === 'none') return null;
  const one = runtime?.runsSteps === true ? 'step' : 'model call';
  const about = counted === 'approximate' ? 'about ' : '';
  return `At most ${about}${maxTurns} ${one}${maxTurns === 1 ? '' : 's'} per turn`;
}

const FREE = {
  asked: 'asks before some actions; all others are unrestricted',
  none: 'runs without restrictions',
} as const;

/** What the agent of a draft may do when its runtime enforces no tool list; null when it does. */
export function unrestrictedText(draft: Draft, runtime: Runtime): string | null {
  const { toolAllowList } = runtime.holds;
  if (toolAllowList === 'enforced') return null;
  return unenforcedLimitsText(draft, runtime).length === 0
    ? isSandboxed(runtime)
      ? `${runtime.id} runs in a sandbox, which enforces the tool list as read or write access and network.`
      : `${runtime.id} ${FREE[toolAllowList]}.`
    : `It will not fire: ${runtime.id} cannot enforce its limits.`;
}

const FENCES = {
  none: 'No self-test available.',
  untested: 'The self-test has not run yet.',
  holds: 'Allow-list enforcement verified.',
  fails: 'Allow-list enforcement failed the self-test.',
} as const;

/** The result of the self-test of a runtime. */
export function selfTestText({ fence: { verdict, reason } }: Runtime): string {
  return reason === null ? FENCES[verdict] : `${FENCES[verdict]} ${sentence(reason)}`;
}
