import type { Change } from '@svc/records';
import { answer, type Question, type WhyAnswer } from './answer.ts';
import { authorOf, nameOf, withoutFullStop } from './format.ts';
import {
  armingAt,
  type DefinitionAt,
  type Down,
  downAt,
  nextOf,
  pauseAt,
  type WhyRecords,
} from './records.ts';

// Late slots are spread over half a minute, and are claimed within another.
const DECIDED_MS = 120_000;

/** The answer for a slot without a run. */
export function undecided(question: Question, definition: DefinitionAt, slot: number): WhyAnswer {
  const { records, format } = question;
  const due = slot + (definition.standing?.delayMs ?? 0);
  if (due > records.now) return dueAnswer(question, slot);
  const armed = armingAt(records, slot);
  // Only slots after the instant of arming count.
  if (armed?.kind !== 'armed' || Date.parse(armed.at) >= slot)
    return notArmed(question, definition, slot);
  // Due slots may have been undecided when the service went down.
  const down = downAt(records, due) ?? downAt(records, due + DECIDED_MS);
  const { prunedUntil } = records;
  const isOld = prunedUntil !== null && slot <= prunedUntil;
  // If the clock jumps over slots, they stay undecided longer; every decided slot has a row.
  const decided = down === null && !isOld ? Number.POSITIVE_INFINITY : (down?.to ?? due);
  const changed = changeBefore(records, definition, slot, decided);
  if (down !== null) return downAnswer(question, { definition, slot, down, changed });
  if (changed !== null) {
    const when = format.when(Date.parse(changed.at));
    const sentences = [
      `Not started: the trigger was ${wordOf(changed.kind)} ${when}${authorOf(changed, format)}, before the slot was processed.`,
    ];
    return answer({
      decision: 'superseded',
      by: nameOf(changed),
      sentences,
      slot,
      changes: [changed],
    });
  }
  if (records.now - due < DECIDED_MS) {
    const sentences = ['Pending: svc is processing the slot.'];
    return answer({ decision: 'undecided', by: 'service', sentences, slot });
  }
  const kept = isOld ? 'its run was removed by retention' : 'there is no record of its run';
  const sentences = [`${format.headline(slot)} was a slot, but ${kept}.`];
  return answer({
    decision: 'not_recorded',
    by: 'service',
    sentences,
    slot,
    changes: [definition.change],
  });
}

interface DownSlot {
  readonly definition: DefinitionAt;
  readonly slot: number;
  readonly down: Down;
  /** The change of the trigger before its slot could be decided; null if none. */
  readonly changed: Change | null;
}

function downAnswer(
  { format }: Question,
  { definition, slot, down, changed }: DownSlot,
): WhyAnswer {
  const from = format.moment(down.from);
  const changes = [changed ?? definition.change];
  if (down.to === null) {
    const says = `Pending: svc has been down since ${from}. At its next start it will run this slot or record it as missed.`;
    return answer({ decision: 'undecided', by: 'service', sentences: [says], slot, changes });
  }
  const then =
    changed === null
      ? 'there is no record of its run'
      : `in the meantime the trigger was ${wordOf(changed.kind)}${authorOf(changed, format)}, so earlier slots did not count`;
  const to = format.moment(down.to);
  const sentences = [`Not started: the service was down from ${from} to ${to}; ${then}.`];
  return answer({ decision: 'down', by: 'service', sentences, slot, changes });
}

function wordOf(kind: string): string {
  return kind.replaceAll('_', ' ');
}

function dueAnswer({ records, format }: Question, slot: number): WhyAnswer {
  const sentences = [`Not yet: it is scheduled for ${format.dated(slot)}.`];
  const pause = pauseAt(records, records.now);
  if (pause !== null) {
    const since = format.moment(Date.parse(pause.start.at));
    sentences.push(
      `It will be skipped unless resumed: paused since ${since}${authorOf(pause.start, format)}.`,
    );
  }
  const changes = pause === null ? [] : [pause.start];
  return answer({ decision: 'due', by: 'service', sentences, slot, changes });
}

function notArmed(
  { records, format }: Question,
  definition: DefinitionAt,
  slot: number,
): WhyAnswer {
  const arming = armingAt(records, slot);
  const later = records.changes.find(({ kind, at }) => kind === 'armed' && Date.parse(at) >= slot);
  const why =
    arming?.kind === 'not_armed' && arming.reason !== null ? withoutFullStop(arming.reason) : null;
  const until = later === undefined ? '' : ` until ${format.moment(Date.parse(later.at))}`;
  const sentences = [
    `No slot: the trigger was not armed${until}${why === null ? '' : `. ${why}`}.`,
  ];
  const changes = [definition.change, ...(arming === null ? [] : [arming])];
  return answer({ decision: 'not_armed', by: 'service', sentences, slot, changes });
}

/** The first change after a slot, and not after its decision; changes at the same instant count. */
function changeBefore(
  records: WhyRecords,
  definition: DefinitionAt,
  slot: number,
  decided: number,
) {
  const defined = nextOf(definition.all, definition.change, slot);
  const soon = decided + DECIDED_MS;
  if (defined !== null && Date.parse(defined.at) <= soon) return defined;
  const armings = records.changes.filter(({ kind }) => kind === 'armed' || kind === 'disarmed');
  const arming = armings.find(({ at }) => Date.parse(at) > slot && Date.parse(at) <= soon);
  return arming ?? null;
}
