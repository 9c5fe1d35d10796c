import type { Runtime } from '../data/service.ts';
import type { Capability } from '../data/shapes.ts';
import { type Draft, toolsOf } from './draft.ts';
import { toolsText } from './run-words.ts';

/** The model that is no AI: it runs the fenced blocks of a prompt. */
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

/** What a runtime holds, each in a few words that go on from its name. */
export function holdsWords({ id, holds }: Runtime): string[] {
  const isPlaybook = id === 'native' && holds.cost === 'none';
  return [
    LISTS[holds.toolAllowList],
    TURNS[holds.maxTurns],
    isPlaybook ? 'costs nothing: playbook uses no AI' : COSTS[holds.cost],
  ];
}

/** Whether a runtime can start turns: "ready"; "not ready: it is not installed.". */
export function readyText({ ready, reason }: Runtime): string {
  if (ready) return 'ready';
  return reason === null ? 'not ready' : `not ready: ${reason}`;
}

/** A sentence from what may begin in the middle of one: "Its key is missing." */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const WHY = {
  asked: 'can only deny what its agent asks for',
  none: 'does not restrict its agent',
} as const;

/** The limits of a draft that a runtime would not hold, each in a sentence; the service refuses them too. */
export function unheldWords(draft: Draft, { id, holds }: Runtime): string[] {
  const { toolAllowList } = holds;
  const why = toolAllowList === 'enforced' ? null : `${id} ${WHY[toolAllowList]}`;
  const isPlan = draft.permissionMode === 'plan';
  const knowsPlan = holds.permissionModes.includes('plan');
  const hasTools = toolsOf(draft).length > 0;
  const limits: [boolean, string][] = [
    [why !== null && hasTools, 'The tool list'],
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
 * @param model what they are asked with, or would be where nobody says; empty where that is not known
 */
export function mayCost({ id, holds }: Runtime, model: string): boolean {
  return id !== 'native' || (holds.cost !== 'none' && model !== PLAYBOOK);
}

/** Whether a turn on a runtime runs the steps in its prompt, without AI, where this model is asked. */
export function runsSteps(runtime: Runtime, model: string): boolean {
  return runtime.id === 'native' && !mayCost(runtime, model);
}

/** What a runtime makes of the limits of a chat. */
export type Holding = Pick<Runtime, 'id' | 'holds'> & { readonly runsSteps: boolean };

/** The tools of a chat in words, as far as its runtime holds them: "Read, Bash". */
export function heldToolsText(capability: Capability, runtime: Holding | undefined): string {
  const isBare = capability.runsAs === 'keeper' && capability.tools.length === 0;
  if (runtime === undefined && isBare) return 'everything that its runtime provides';
  const list = runtime?.holds.toolAllowList ?? 'enforced';
  if (list === 'none') return `everything that ${runtime?.id} provides, without restrictions`;
  const tools = toolsText(capability);
  return list === 'asked' ? `${tools}, enforced only where it asks first` : tools;
}

/** The limit of model calls in a sentence, as far as the runtime of a chat holds it; null where it counts none. */
export function callsText(
  { maxTurns }: Pick<Capability, 'maxTurns'>,
  runtime: Holding | undefined,
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

/** What the agent of a draft may do where its runtime holds no list; null where it holds one. */
export function freeText(draft: Draft, runtime: Runtime): string | null {
  const { toolAllowList } = runtime.holds;
  if (toolAllowList === 'enforced') return null;
  return unheldWords(draft, runtime).length === 0
    ? `${runtime.id} ${FREE[toolAllowList]}.`
    : `It will not fire: ${runtime.id} cannot enforce its limits.`;
}

const FENCES = {
  none: 'No self-test available.',
  untested: 'The self-test has not run yet.',
  holds: 'Allow-list enforcement verified.',
  fails: 'Allow-list enforcement failed the self-test.',
} as const;

/** What was found when the fence of a runtime was tried. */
export function fenceText({ fence: { verdict, reason } }: Runtime): string {
  return reason === null ? FENCES[verdict] : `${FENCES[verdict]} ${sentence(reason)}`;
}
