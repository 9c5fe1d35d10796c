import { type Capability, MANAGE_PREFIX } from '@svc/records';

/**
 * The decision on one tool call. `absent`: the tool does not exist for this turn. `refused`: it exists but must not
 * run.
 */
export type ToolDecision =
  | { readonly verdict: 'run' }
  | { readonly verdict: 'absent'; readonly reason: string }
  | { readonly verdict: 'refused'; readonly reason: string };

/** The effect of each operation, by name. */
export type OperationEffects = Readonly<
  Record<string, { readonly effect: 'reads' | 'mutates' | 'starts_turn' }>
>;

/** Decides on tool calls, with the same rules for every runtime. */
export interface ToolPolicy {
  /** Whether a tool starts turns: `Task` and the operations that start or continue chats. */
  startsTurns(name: string): boolean;
  /**
   * Decides on a tool call without asking a user.
   *
   * A listed tool exists and runs, an unlisted one does not exist. Tools that start turns exist only while `depth` is
   * below `capability.maxSpawnDepth`. Under `plan` only read-only tools run. The other modes run every listed tool.
   */
  decide(capability: Capability, depth: number, name: string): ToolDecision;
}

const READING = ['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch'];

/** Creates the policy for the given operations. Other operations do not exist. */
export function createToolPolicy(operations: OperationEffects): ToolPolicy {
  const withEffect = (wanted: string): string[] =>
    Object.entries(operations)
      .filter(([, { effect }]) => effect === wanted)
      .map(([operation]) => `${MANAGE_PREFIX}${operation}`);
  const starting = new Set(['Task', ...withEffect('starts_turn')]);
  const reading = new Set([...READING, ...withEffect('reads')]);
  const isForeign = (name: string): boolean =>
    name.startsWith(MANAGE_PREFIX) && !Object.hasOwn(operations, name.slice(MANAGE_PREFIX.length));
  return {
    startsTurns: (name) => starting.has(name),
    decide(capability, depth, name) {
      if (!capability.tools.includes(name) || isForeign(name)) {
        return { verdict: 'absent', reason: `The ${name} tool is not available in this turn.` };
      }
      if (starting.has(name) && depth >= capability.maxSpawnDepth) {
        const reason = `The ${name} tool is not available in this turn: it cannot start turns at depth ${depth} of ${capability.maxSpawnDepth}.`;
        return { verdict: 'absent', reason };
      }
      if (capability.permissionMode === 'plan' && !reading.has(name)) {
        const reason = `${name} is not allowed in permission mode plan, which is read-only.`;
        return { verdict: 'refused', reason };
      }
      return { verdict: 'run' };
    },
  };
}
