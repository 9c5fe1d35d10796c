import type { Runtime } from '../data/service.ts';
import { type Draft, toolsOf } from './draft.ts';

/** The model that is no AI: it runs the fenced blocks of a prompt. */
const PLAYBOOK = 'playbook';

const LISTS = {
  enforced: 'holds a list of tools exactly',
  asked: 'refuses a tool only where its agent asks for it',
  none: 'cannot hold a list of tools',
} as const;
const TURNS = {
  exact: 'counts model calls exactly',
  approximate: 'counts model calls roughly',
  none: 'does not count model calls',
} as const;
const COSTS = {
  estimate: 'tells tokens and an estimate of their cost',
  tokens: 'tells tokens, not their cost',
  none: 'does not tell what it used',
} as const;

/** What a runtime holds, each in a few words that go on from its name. */
export function holdsWords({ id, holds }: Runtime): string[] {
  const isPlaybook = id === 'native' && holds.cost === 'none';
  return [
    LISTS[holds.toolAllowList],
    TURNS[holds.maxTurns],
    isPlaybook ? 'costs nothing: playbook is no AI' : COSTS[holds.cost],
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
  asked: 'only refuses what its agent asks for',
  none: 'lets its agent do as it likes',
} as const;

/** The limits of a draft that a runtime would not hold, each in a sentence; the service refuses them too. */
export function unheldWords(draft: Draft, { id, holds }: Runtime): string[] {
  const { toolAllowList } = holds;
  const why = toolAllowList === 'enforced' ? null : `${id} ${WHY[toolAllowList]}`;
  const isPlan = draft.permissionMode === 'plan';
  const knowsPlan = holds.permissionModes.includes('plan');
  const hasTools = toolsOf(draft).length > 0;
  const limits: [boolean, string][] = [
    [why !== null && hasTools, 'The list of tools'],
    [why !== null && !hasTools && draft.when === 'event', 'That it has no tools'],
    [isPlan && (why !== null || !knowsPlan), 'The permission mode plan'],
    [why !== null && draft.maxSpawnDepth.trim() !== '', 'The depth of child turns'],
  ];
  return limits
    .filter(([isUnheld]) => isUnheld)
    .map(([, limit]) => `${limit} is not held: ${why ?? `${id} does not know it`}.`);
}

/**
 * Whether turns of a runtime may cost money.
 *
 * @param model what they are asked with, or would be where nobody says; empty where that is not known
 */
export function mayCost({ id, holds }: Runtime, model: string): boolean {
  return id !== 'native' || (holds.cost !== 'none' && model !== PLAYBOOK);
}

const FENCES = {
  none: 'There is nothing to try of its fence.',
  untested: 'Its fence has not been tried yet.',
  holds: 'Its fence was tried, and holds.',
  fails: 'Its fence does not hold.',
} as const;

/** What was found when the fence of a runtime was tried. */
export function fenceText({ fence: { verdict, reason } }: Runtime): string {
  return reason === null ? FENCES[verdict] : `${FENCES[verdict]} ${sentence(reason)}`;
}
