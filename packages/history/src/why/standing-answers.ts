import type { Change } from '@svc/records';
import { answer, type Question, type WhyAnswer } from './answer.ts';
import { authorOf, authorWithin, type Formatter, nameOf, withoutFullStop } from './format.ts';
import { type DefinitionAt, nextOf } from './records.ts';

/** The trigger is unknown at that time. */
export function unknownAnswer({ format, records }: Question, first: Change | null): WhyAnswer {
  if (records.keptFrom !== null) {
    const since = format.moment(records.keptFrom);
    const says = `No records from before ${since}: older ones were removed by retention.`;
    return answer({ decision: 'not_recorded', by: 'service', sentences: [says] });
  }
  const seen =
    first === null
      ? 'There are no records of this trigger.'
      : `There are no records of this trigger before ${format.moment(Date.parse(first.at))}, when it was first seen${authorOf(first, format)}.`;
  const changes = first === null ? [] : [first];
  return answer({ decision: 'not_recorded', by: 'service', sentences: [seen], changes });
}

/** The trigger was removed before. */
export function removedAnswer({ format }: Question, { change }: DefinitionAt): WhyAnswer {
  const when = format.when(Date.parse(change.at));
  const sentences = [`No slot: the trigger was removed ${when}${authorOf(change, format)}.`];
  return answer({ decision: 'removed', by: nameOf(change), sentences, changes: [change] });
}

/** The entry was invalid. */
export function invalidAnswer(
  { format, from }: Question,
  { change, all }: DefinitionAt,
): WhyAnswer {
  const first = startOf(all, change, ({ kind }) => kind === 'invalid');
  const end = endOf(all, change, from, ({ kind }) => kind !== 'invalid');
  const edited = format.when(Date.parse(first.writtenAt ?? first.at));
  const invalid =
    end === null
      ? `has been invalid since the edit ${edited}`
      : `was invalid from the edit ${edited} until ${format.moment(Date.parse(end.at))}`;
  const sentences = [`It could not fire: its entry ${invalid}.`];
  if (change.reason !== null) sentences.push(`${withoutFullStop(change.reason)}.`);
  const changes = end === null ? [first] : [first, end];
  return answer({ decision: 'invalid', by: nameOf(first), sentences, changes });
}

/** The trigger was disabled. */
export function disabledAnswer(
  { format, from }: Question,
  { change, all }: DefinitionAt,
): WhyAnswer {
  const isOff = ({ standing }: Change): boolean => standing?.enabled === false;
  const first = startOf(all, change, isOff);
  const end = endOf(all, change, from, (later) => !isOff(later));
  const start = `${format.moment(Date.parse(first.at))} (${switchOf(first, format)})`;
  const disabled =
    end === null
      ? `has been disabled since ${start}`
      : `was disabled from ${start} to ${format.moment(Date.parse(end.at))}`;
  const sentences = [`No slot: the trigger ${disabled}.`];
  const changes = end === null ? [first] : [first, end];
  return answer({ decision: 'off', by: nameOf(first), sentences, changes });
}

function switchOf(change: Change, format: Formatter): string {
  const { kind, by, via } = change;
  const isByFile = by === null && via !== 'service';
  const done = kind === 'disabled' ? kind : `${kind} with enabled: false`;
  return `${isByFile ? 'enabled: false' : done}${authorWithin(change, format)}`;
}

/** The first of consecutive changes, up to this one, for which a condition is true. */
function startOf(all: readonly Change[], change: Change, holds: (of: Change) => boolean): Change {
  let at = all.indexOf(change);
  for (let before = all[at - 1]; before !== undefined && holds(before); before = all[at - 1]) {
    at -= 1;
  }
  return all[at] ?? change;
}

function endOf(
  all: readonly Change[],
  change: Change,
  at: number,
  ends: (of: Change) => boolean,
): Change | null {
  let next = nextOf(all, change, at);
  while (next !== null && !ends(next)) next = nextOf(all, next, at);
  return next;
}
