import { type Capability, MANAGE_PREFIX, OPERATIONS } from '@svc/records';

/** What becomes of one tool call. `absent`: the tool does not exist for this turn; `refused`: it does, but not now. */
export type ToolDecision =
  | { readonly verdict: 'run' }
  | { readonly verdict: 'absent'; readonly reason: string }
  | { readonly verdict: 'refused'; readonly reason: string };

const STARTING: ReadonlySet<string> = new Set([
  'Task',
  ...['create_chat', 'fork_chat', 'fork_chat_batch', 'send_message', 'run_trigger'].map(
    (operation) => `${MANAGE_PREFIX}${operation}`,
  ),
]);

const READING: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'WebFetch',
  'WebSearch',
  `${MANAGE_PREFIX}list_triggers`,
  ...Object.entries(OPERATIONS)
    .filter(([, kind]) => kind === 'read')
    .map(([operation]) => `${MANAGE_PREFIX}${operation}`),
]);

/** Whether a tool starts turns: `Task` and the operations that start or continue chats. */
export function startsTurns(name: string): boolean {
  return STARTING.has(name);
}

/**
 * The one decision on a tool call, the same for every runtime; nobody is ever asked.
 *
 * A listed tool exists and runs, an unlisted one does not exist. Tools that start turns exist only while `depth` is
 * below `capability.maxSpawnDepth`. Under `plan` only reading tools run; the other modes run whatever is held.
 */
export function decideTool(capability: Capability, depth: number, name: string): ToolDecision {
  if (!capability.tools.includes(name)) {
    return { verdict: 'absent', reason: `This turn has no tool ${name}.` };
  }
  if (STARTING.has(name) && depth >= capability.maxSpawnDepth) {
    return {
      verdict: 'absent',
      reason: `This turn has no tool ${name}: at depth ${depth} of ${capability.maxSpawnDepth} it may not start turns.`,
    };
  }
  if (capability.permissionMode === 'plan' && !READING.has(name)) {
    return {
      verdict: 'refused',
      reason: `${name} does not run in permission mode plan, which only reads.`,
    };
  }
  return { verdict: 'run' };
}
