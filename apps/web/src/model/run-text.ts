import type { Capability, Chat, Run } from '../data/api-types.ts';
import { inertText } from './inert-text.ts';
import { dueText, shortText, spanText, whenText } from './times.ts';

const SECOND = 1000;
// The model name of turns that run the steps in their prompt.
const WITHOUT_AI = 'playbook';
const MANAGE = 'mcp__svc_manage__';
const STARTING: ReadonlySet<string> = new Set([
  'Task',
  `${MANAGE}create_chat`,
  `${MANAGE}send_message`,
  `${MANAGE}fork_chat`,
  `${MANAGE}fork_chat_batch`,
  `${MANAGE}run_trigger`,
]);

/** The duration of a run: "under 0.1 s", "1.4 s", "3 min"; null until it has ended, and when it never started. */
export function tookText({ startedAt, endedAt }: Run): string | null {
  if (startedAt === null || endedAt === null) return null;
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  if (ms < 100) return 'under 0.1 s';
  return ms < 10 * SECOND ? `${(ms / SECOND).toFixed(1)} s` : spanText(ms);
}

/** The delay of a run; null for less than a second, and for missed runs. */
export function lateText({ lateMs, outcome }: Run): string | null {
  return lateMs === null || lateMs < SECOND || outcome === 'missed'
    ? null
    : `${spanText(lateMs)} late`;
}

/** The scheduled time of a run; the time of the request for manual runs. */
export function whenOf({ scheduledFor, claimedAt }: Run): string {
  return scheduledFor ?? claimedAt;
}

/** Sorts runs by scheduled time, newest first: a missed run appears where it should have run. */
export function byDue(runs: readonly Run[]): Run[] {
  return [...runs].sort((a, b) => Date.parse(whenOf(b)) - Date.parse(whenOf(a)));
}

/** A short label of a run: "Failed, Sat 03:00"; "Missed, due Sat 03:00". */
export function nameText(outcome: Run['outcome'], word: string, at: string): string {
  return `${word}, ${outcome === 'missed' ? 'due ' : ''}${shortText(at)}`;
}

/** Who or what started a run. */
export function byText({ cause, by, person }: Run): string {
  if (cause === 'schedule') return 'by schedule';
  return cause === 'event' ? 'by an event' : `by ${actorText(by, person)}`;
}

/** Who or what started a run, as the cell of a table: "Schedule", "A user". */
export function starterText({ cause, by, person }: Run): string {
  if (cause === 'schedule') return 'Schedule';
  if (cause === 'event') return 'An event';
  const text = actorText(by, person);
  return person === null ? capitalized(text) : text;
}

/** A text with a capital at its beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The display name of an actor; for a person the name, when it is known. */
export function actorText(by: string | null, person: string | null = null): string {
  if (person !== null) return inertText(person);
  if (by === null) return 'a trigger';
  if (by === 'user') return 'a user';
  if (by === 'keeper') return 'the keeper';
  return by.replace(/^client:/, 'the client ');
}

/** The origin of a chat, shown below its name; the trigger name is omitted when it is the name of the chat. */
export function originText({
  name,
  trigger,
  by,
  person,
}: Pick<Chat, 'name' | 'trigger' | 'by' | 'person'>): string {
  if (trigger === null) return `started by ${actorText(by, person)}`;
  return trigger === name ? 'started by its trigger' : `started by trigger ${trigger}`;
}

/** The facts of a run: "due 03:00", "2 s late", "started by schedule", "took 1.4 s". */
export function runFacts(run: Run, now: number): string[] {
  const { scheduledFor, scheduledUntil, startedAt, slotCount, catchUp } = run;
  const { model, toolCalls, toolErrors, turns } = run;
  const took = tookText(run);
  const calls = `${turns} model ${turns === 1 ? 'call' : 'calls'}`;
  const tools = `${toolCalls} tool ${toolCalls === 1 ? 'call' : 'calls'}`;
  return [
    scheduledFor === null ? [] : `due ${dueText(scheduledFor, now)}`,
    slotCount > 1 && scheduledUntil !== null
      ? `${slotCount} scheduled times until ${whenText(scheduledUntil, now)}`
      : [],
    scheduledFor === null && startedAt !== null && took !== null
      ? `started ${dueText(startedAt, now)} ${byText(run)}`
      : `started ${byText(run)}`,
    lateText(run) ?? [],
    took === null ? [] : `took ${took}`,
    catchUp ? 'catch-up run for a missed slot' : [],
    turns === 0 || model === WITHOUT_AI ? [] : calls,
    turns + toolCalls === 0 ? [] : toolErrors ? `${tools}, ${toolErrors} failed` : tools,
  ].flat();
}

/** The tools of a capability: "Read, Bash"; "no tools (it can only answer)". */
export function toolsText({ runsAs, tools }: Pick<Capability, 'runsAs' | 'tools'>): string {
  if (tools.length === 0) return 'no tools (it can only answer)';
  const own = tools.filter((tool) => !tool.startsWith(MANAGE));
  const count = tools.length - own.length;
  const operations = count === 1 ? '1 svc operation' : `${count} svc operations`;
  const all = [...own, ...(count === 0 ? [] : [operations])].join(', ');
  return runsAs === 'keeper' ? `all keeper tools: ${all}` : all;
}

/** Whether the turns of a chat may start other turns, and how many levels deep. */
export function startsText({ tools, permissionMode, maxSpawnDepth }: Capability): string {
  const may = permissionMode !== 'plan' && tools.some((tool) => STARTING.has(tool));
  return may && maxSpawnDepth > 0
    ? `can start turns, at most ${maxSpawnDepth} ${maxSpawnDepth === 1 ? 'level' : 'levels'} deep`
    : 'cannot start turns';
}
