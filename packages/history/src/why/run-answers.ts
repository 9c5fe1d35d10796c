import { authorText, isExpired, MISSED_REASONS, type Run } from '@svc/records';
import { answer, type FoundRun, type Question, type WhyAnswer } from './answer.ts';
import { authorOf, courseOf, lengthOf, nameOf, withoutFullStop } from './format.ts';
import { type DefinitionAt, downAt, pauseAt } from './records.ts';

/** The answer for a run that covers a slot. */
export function runAnswer(
  question: Question,
  definition: DefinitionAt | null,
  found: FoundRun,
): WhyAnswer {
  const { outcome } = found.run;
  if (outcome === 'missed') return missedAnswer(question, definition, found);
  if (outcome?.startsWith('skipped_') === true) return skippedAnswer(question, found);
  const { run, slot } = found;
  const { format } = question;
  const delay = definition?.standing?.delayMs ?? 0;
  const claimedAt = Date.parse(run.claimedAt);
  const late = Math.max(0, claimedAt - slot - delay);
  const fired = run.catchUp
    ? `ran ${lengthOf(late)} late (catch-up)`
    : `fired ${late === 0 ? 'on time' : `${lengthOf(late)} late`}`;
  const sentences = [`${format.headline(slot)}: ${fired}, ${courseOf(run, format)}.`];
  if (delay > 0) {
    sentences.push(
      `policy.jitter delays its starts by ${lengthOf(delay)}; this does not count as late.`,
    );
  }
  const waited = run.startedAt === null ? 0 : Date.parse(run.startedAt) - claimedAt;
  if (waited >= SHOWN_WAIT_MS) {
    const longer = `${lengthOf(waited)} later`;
    sentences.push(
      `It started ${longer}: it waited for limits.concurrentTurns, the previous run, or the database.`,
    );
  }
  const decision = run.state === 'ended' ? 'fired' : 'underway';
  const changes = definition === null ? [] : [definition.change];
  return answer({ decision, by: 'service', sentences, slot, runId: run.id, changes });
}

// Shorter waits are not mentioned.
const SHOWN_WAIT_MS = 1000;

function missedAnswer(
  question: Question,
  definition: DefinitionAt | null,
  { run, slot }: FoundRun,
): WhyAnswer {
  const { records, format } = question;
  const standing = definition?.standing ?? null;
  const down = downAt(records, slot + (standing?.delayMs ?? 0));
  const to = down?.to == null ? '' : ` to ${format.moment(down.to)}`;
  const cause =
    down === null
      ? lowered(withoutFullStop(run.reason ?? MISSED_REASONS.notInTime))
      : `the service was down from ${format.moment(down.from)}${to}`;
  const sentences = [
    standing?.catchUp === 'none'
      ? `Missed: ${cause}. It does not run later, because policy.catchUp is none.`
      : `Missed: ${cause}.`,
  ];
  if (standing?.catchUp === 'latest') sentences.push(...notCaughtUp(run, down !== null));
  if (down !== null && !down.isClean) {
    sentences.push('The service was killed; the start of the downtime is known to within 30 s.');
  }
  const { slotCount, scheduledFor, scheduledUntil } = run;
  if (slotCount > 1) {
    const first = format.moment(Date.parse(scheduledFor ?? ''));
    const last = format.moment(Date.parse(scheduledUntil ?? ''));
    sentences.push(`${slotCount} consecutive slots were missed, from ${first} to ${last}.`);
  }
  const changes = definition === null ? [] : [definition.change];
  return answer({ decision: 'missed', by: 'service', sentences, slot, runId: run.id, changes });
}

function notCaughtUp({ reason }: Run, isDown: boolean): string[] {
  if (reason === null || !isExpired(reason)) {
    return [
      'It does not run later: policy.catchUp runs only the latest missed slot within catchUpWindow.',
    ];
  }
  // The downtime is already mentioned.
  return isDown ? [`It does not run later: ${lowered(withoutFullStop(reason))}.`] : [];
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function skippedAnswer({ records, format }: Question, { run, slot }: FoundRun): WhyAnswer {
  const why = withoutFullStop(run.reason ?? run.outcome?.replaceAll('_', ' ') ?? '');
  const sentences = [`${format.headline(slot)}: skipped. ${why}.`];
  const isPaused = run.outcome === 'skipped_paused';
  const pause = isPaused
    ? (pauseAt(records, slot) ?? pauseAt(records, Date.parse(run.claimedAt)))
    : null;
  const found = { slot, runId: run.id };
  if (pause === null) return answer({ decision: 'skipped', by: 'service', sentences, ...found });
  const { start, end } = pause;
  const resumed = end === null ? '' : `, resumed ${format.when(Date.parse(end.at))}`;
  const since = format.when(Date.parse(start.at));
  sentences.push(`Paused${authorOf(start, format)} ${since}${resumed}.`);
  const changes = end === null ? [start] : [start, end];
  return answer({ decision: 'skipped', by: nameOf(start), sentences, ...found, changes });
}

/** The answer for a run without a slot. */
export function slotlessRunAnswer({ format }: Question, run: Run): WhyAnswer {
  const at = format.headline(Date.parse(run.claimedAt));
  const isEvent = run.cause === 'event';
  const by = run.by ?? (isEvent ? 'service' : 'user');
  const what = isEvent
    ? 'fired by an event'
    : `run now, requested by ${run.person ?? authorText(by)}`;
  const sentences = [`${at}: ${what}, ${courseOf(run, format)}.`];
  const decision = isEvent ? 'event' : 'asked_for';
  return answer({ decision, by, sentences, runId: run.id });
}
