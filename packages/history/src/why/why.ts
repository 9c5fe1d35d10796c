import { answer, type FoundRun, type Question, type WhyAnswer } from './answer.ts';
import { createFormatter } from './format.ts';
import {
  armingAt,
  type DefinitionAt,
  definitionAt,
  firstKnown,
  nextOf,
  type WhyRecords,
} from './records.ts';
import { runAnswer, slotlessRunAnswer } from './run-answers.ts';
import { gridOf, slotAfter, slotBefore, slotIn } from './slots.ts';
import { disabledAnswer, invalidAnswer, removedAnswer, unknownAnswer } from './standing-answers.ts';
import { undecided } from './undecided.ts';

/**
 * The decision about an instant, from records alone: its run if there is one, or else what follows from the effective
 * definition. `at` is in milliseconds since the epoch; whole minutes or seconds mean any slot in that minute or second.
 */
export function whyAt(records: WhyRecords, at: number): WhyAnswer {
  const definition = definitionAt(records, at);
  const zone = definition?.standing?.timezone ?? null;
  const format = createFormatter(zone, at, records.now);
  const question: Question = { records, from: at, until: at + precisionOf(at), format };
  const grid = gridAt(question, definition);
  const found = firstRun(question, grid);
  if (found !== null) return runAnswer(question, definition, found);
  const slotless = records.runs.find(
    ({ scheduledFor, claimedAt }) => scheduledFor === null && isIn(question, Date.parse(claimedAt)),
  );
  if (slotless !== undefined) return slotlessRunAnswer(question, slotless);
  return withoutRun(question, definition, grid);
}

function precisionOf(at: number): number {
  if (at % 60_000 === 0) return 59_999;
  return at % 1000 === 0 ? 999 : 0;
}

/** The period in which slots of an instant are searched. */
export function periodOf(at: number): { readonly from: number; readonly until: number } {
  return { from: at, until: at + precisionOf(at) };
}

type Grid = ReturnType<typeof gridOf>;

function gridAt({ records, until }: Question, definition: DefinitionAt | null): Grid {
  const standing = definition?.standing ?? null;
  return standing === null ? null : gridOf(standing, armingAt(records, until));
}

function isIn({ from, until }: Pick<Question, 'from' | 'until'>, at: number): boolean {
  return at >= from && at <= until;
}

function firstRun(question: Question, grid: Grid): FoundRun | null {
  const slot = slotIn(grid, question);
  const found = question.records.runs.flatMap((run): FoundRun[] => {
    if (run.scheduledFor === null) return [];
    const first = Date.parse(run.scheduledFor);
    const last = Date.parse(run.scheduledUntil ?? run.scheduledFor);
    const between = slot !== null && slot > first && slot < last ? [slot] : [];
    const [own] = [first, ...between, last].filter((each) => isIn(question, each));
    return own === undefined ? [] : [{ run, slot: own }];
  });
  return found.sort((a, b) => a.slot - b.slot)[0] ?? null;
}

function withoutRun(question: Question, definition: DefinitionAt | null, grid: Grid): WhyAnswer {
  const { records, from } = question;
  if (definition === null) return unknownAnswer(question, firstKnown(records));
  const { change, standing } = definition;
  if (standing === null) {
    return change.kind === 'removed'
      ? removedAnswer(question, definition)
      : invalidAnswer(question, definition);
  }
  if (!standing.enabled) return disabledAnswer(question, definition);
  if (standing.type !== 'schedule') {
    const says =
      standing.on === null
        ? 'Webhook triggers are reserved and do not fire yet.'
        : `It fires on the event ${standing.on}, not on a schedule.`;
    return answer({
      decision: 'not_scheduled',
      by: 'service',
      sentences: [says],
      changes: [change],
    });
  }
  const slot = slotIn(grid, question);
  if (slot !== null) return undecided(question, definition, slot);
  return noSlot(question, definition, grid, from);
}

function noSlot(
  { records, format, until }: Question,
  { change, standing, all }: DefinitionAt,
  grid: Grid,
  at: number,
): WhyAnswer {
  const armed = armingAt(records, until);
  const says = standing?.cron ?? `every ${standing?.interval}`;
  if (grid === null) {
    const sentence = `No slot: the trigger was not armed yet (${says}).`;
    return answer({
      decision: 'not_armed',
      by: 'service',
      sentences: [sentence],
      changes: [change],
    });
  }
  const since = armed?.kind === 'armed' ? Date.parse(armed.at) : Number.POSITIVE_INFINITY;
  const last = slotBefore(grid, at);
  const before = last !== null && last > since ? last : null;
  const after = slotAfter(grid, at);
  const nearest = [
    before === null ? null : `the previous slot was ${format.moment(before)}`,
    after === null
      ? null
      : `the next slot ${after > records.now ? 'is' : 'was'} ${format.moment(after)}`,
  ].filter((part) => part !== null);
  const tail = nearest.length === 0 ? '' : `; ${nearest.join(', ')}`;
  const is = nextOf(all, change, at) === null ? 'is' : 'was';
  const sentences = [`No slot: the schedule ${is} ${says}${tail}.`];
  const changes = armed === null ? [change] : [change, armed];
  return answer({ decision: 'no_slot', by: 'service', sentences, before, after, changes });
}
