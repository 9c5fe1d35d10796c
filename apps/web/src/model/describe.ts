import type { Outcome, Run, Trigger } from '../data/api-types.ts';
import type { Entry } from './entries.ts';
import { inertText } from './inert-text.ts';
import { stateLabelOf } from './outcomes.ts';
import { type Counts, needText } from './project-state.ts';
import { agoText } from './times.ts';

/** When an event trigger fires, by event. */
export const EVENT_TIMES: Readonly<Record<string, string>> = {
  onArchive: 'When a chat is archived',
  afterTurn: 'After a turn started by a user',
};

// Outcomes whose word alone does not read well before a time.
const ENDS: Readonly<Partial<Record<Outcome, string>>> = {
  no_model: 'failed without a model',
  max_turns: 'reached its call limit',
};

/** Describes when an entry fires. */
export function scheduleText({ trigger, schedule, invalid }: Entry): string {
  if (invalid !== null) return 'project.yaml';
  if (schedule !== null) {
    return schedule.type === 'cron' ? `cron ${schedule.cron}` : `Every ${schedule.interval}`;
  }
  if (trigger === null) return '';
  return trigger.schedule === null ? plainText(trigger) : zonedText(trigger.schedule);
}

const HOST_ZONE = 'host-local time';

/** Describes a schedule; a description in host-local time gets the name of the zone. */
export function zonedText({ description, timezone }: NonNullable<Trigger['schedule']>): string {
  if (timezone === null) return description;
  return description.replace(`(${HOST_ZONE})`, `(${HOST_ZONE}, ${timezone})`);
}

function plainText({ trigger }: Trigger): string {
  if ('cron' in trigger) return `cron ${trigger.cron}`;
  if ('interval' in trigger) return `Every ${trigger.interval}`;
  return 'on' in trigger ? (EVENT_TIMES[trigger.on] ?? trigger.on) : 'When its webhook is called';
}

/** The position of an issue in project.yaml: "line 41, column 13". */
export function placeText(issue: { line?: number; column?: number } | undefined): string {
  if (issue?.line === undefined) return 'project.yaml';
  return issue.column === undefined
    ? `line ${issue.line}`
    : `line ${issue.line}, column ${issue.column}`;
}

/** Describes an issue in a sentence that starts with its field. */
export function issueText(issue: { path: string; message: string } | undefined): string {
  if (issue === undefined) return 'It is not valid.';
  const { path, message } = issue;
  return inertText(path === '' ? `It ${message}` : `${path} ${message}`);
}

/** The tools of a trigger: "3 tools, Bash", "Keeper, all tools". */
export function mayUseText({ trigger, schedule }: Entry): string {
  if (schedule !== null) return 'Keeper, all tools';
  if (trigger === null) return '';
  const { tools } = trigger.run;
  if (tools.length > 0) {
    const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
    return tools.includes('Bash') ? `${count}, Bash` : count;
  }
  return trigger.trigger.type === 'event' ? 'No tools' : 'Keeper, all tools';
}

// The project file that a sentence mentions.
const OWN_FILE = /\.svc\/\S*[^\s.,;:]/;

/** The reason of the last run; null when there is none, and when the remark already mentions the same file. */
export function reasonText({ lastRun, remark }: Pick<Entry, 'lastRun' | 'remark'>): string | null {
  const reason = lastRun?.reason ?? null;
  const file = OWN_FILE.exec(remark ?? '')?.[0];
  return file !== undefined && reason?.includes(file) === true
    ? null
    : briefText(reason ?? '') || null;
}

/** The reason of a pause after "Paused 40 s ago": ", after 2 failures in a row." */
export function pauseReasonText(reason: string): string {
  const text = briefText(reason);
  return PAUSED_AFTER.test(text) ? text.replace(PAUSED_AFTER, ', after ') : `: ${text}`;
}

// Earlier versions stored the first form.
const PAUSED_AFTER = /^(?:It|The trigger) was paused after /;

const MOST_CHARACTERS = 200;

/** A reason shortened for lists; the view of the run shows all of it. */
export function briefText(reason: string): string {
  const text = inertText(reason);
  const start = [...text.slice(0, 2 * MOST_CHARACTERS)].slice(0, MOST_CHARACTERS).join('');
  return start.length < text.length ? `${start.trimEnd()}…` : text;
}

/** "1 trigger", "7 triggers". */
export function countText(total: number): string {
  return total === 1 ? '1 trigger' : `${total} triggers`;
}

/** Summarizes what needs attention: "2 of 7 triggers need attention"; null when nothing does. */
export function attentionText(counts: Counts): string | null {
  const { total, needYou, legacyNeedYou, brokenFiles } = counts;
  const legacy = legacyNeedYou === 1 ? '1 legacy schedule' : `${legacyNeedYou} legacy schedules`;
  const files =
    brokenFiles === 1
      ? '1 project.yaml file is invalid'
      : `${brokenFiles} project.yaml files are invalid`;
  const parts = [
    ...(needYou === 0 ? [] : [`${needYou} of ${countText(total)} ${needText(needYou)}`]),
    ...(legacyNeedYou === 0 ? [] : [`${legacy} ${needText(legacyNeedYou)}`]),
    ...(brokenFiles === 0 ? [] : [files]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** How a run ended, before a time: "failed", "reached its call limit". */
export function endText(run: Pick<Run, 'state' | 'outcome'>): string {
  const end = run.outcome === null ? undefined : ENDS[run.outcome];
  return end ?? stateLabelOf(run).word.toLowerCase();
}

function invalidText({ kind }: NonNullable<Entry['invalid']>): string {
  if (kind === 'unconfirmed') return 'must be confirmed';
  return kind === 'unreadable' ? 'cannot be read' : 'invalid';
}

/** Why an entry needs attention, after its name in a list: "failed 6 h ago". */
export function entryReasonText(entry: Entry, now: number): string {
  if (entry.invalid !== null) {
    const place = placeText(entry.invalid.issues[0]);
    return `${invalidText(entry.invalid)}, ${place}`;
  }
  if (entry.pause !== null) {
    return `paused ${agoText(entry.pause.at, now)}${pauseReasonText(entry.pause.reason)}`;
  }
  const { lastRun } = entry;
  if (lastRun !== null && stateLabelOf(lastRun).tone === 'bad') {
    return `${endText(lastRun)} ${agoText(lastRun.at, now)}`;
  }
  if (entry.notArmed !== null) return 'not armed';
  if (entry.problem !== null) return `will fail: ${entry.problem}`;
  return entry.limited ?? 'not armed';
}
