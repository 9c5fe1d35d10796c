import { type Capability, MANAGE_PREFIX } from '@svc/records';

/** What becomes of one tool call. `absent`: the tool does not exist for this turn; `refused`: it does, but not now. */
export type ToolDecision =
  | { readonly verdict: 'run' }
  | { readonly verdict: 'absent'; readonly reason: string }
  | { readonly verdict: 'refused'; readonly reason: string };

/** What the operations do to the world, by their names. */
export type OperationEffects = Readonly<
  Record<string, { readonly effect: 'reads' | 'mutates' | 'starts_turn' }>
>;

/** Decides about tool calls, the same for every runtime. */
export interface ToolPolicy {
  /** Whether a tool starts turns: `Task` and the operations that start or continue chats. */
  startsTurns(name: string): boolean;
  /**
   * The one decision on a tool call; nobody is ever asked.
   *
   * A listed tool exists and runs, an unlisted one does not exist. Tools that start turns exist only while `depth` is
   * below `capability.maxSpawnDepth`. Under `plan` only reading tools run; the other modes run whatever is held.
   */
  decide(capability: Capability, depth: number, name: string): ToolDecision;
}

const READING = ['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch'];

/** Makes the policy over the operations that there are as tools; one that is not among them does not exist. */
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
        return { verdict: 'absent', reason: `This turn has no tool ${name}.` };
      }
      if (starting.has(name) && depth >= capability.maxSpawnDepth) {
        const reason = `This turn has no tool ${name}: at depth ${depth} of ${capability.maxSpawnDepth} it may not start turns.`;
        return { verdict: 'absent', reason };
      }
      if (capability.permissionMode === 'plan' && !reading.has(name)) {
        const reason = `${name} does not run in permission mode plan, which only reads.`;
        return { verdict: 'refused', reason };
      }
      return { verdict: 'run' };
    },
  };
}
