import { type Asking, answer, type FoundRun, type WhyAnswer } from './answer.ts';
import { armingAt, firstKnown, type InForce, inForceAt, type WhyRecords } from './records.ts';
import { ofRun, ofSlotlessRun } from './run-answers.ts';
import { gridOf, slotAfter, slotBefore, slotIn } from './slots.ts';
import { invalidAnswer, offAnswer, removedAnswer, unknownAnswer } from './standing-answers.ts';
import { undecided } from './undecided.ts';
import { tellingIn } from './words.ts';

/**
 * The decision about an instant, from records alone: its run if there is one, or else what follows from the effective
 * definition. `at` is in milliseconds since the epoch; whole minutes or seconds mean any slot in that minute or second.
 */
export function whyAt(records: WhyRecords, at: number): WhyAnswer {
  const inForce = inForceAt(records, at);
  const zone = inForce?.standing?.timezone ?? null;
  const telling = tellingIn(zone, at, records.now);
  const asking: Asking = { records, from: at, until: at + precisionOf(at), telling };
  const grid = gridAt(asking, inForce);
  const found = firstRun(asking, grid);
  if (found !== null) return ofRun(asking, inForce, found);
  const slotless = records.runs.find(
    ({ scheduledFor, claimedAt }) => scheduledFor === null && isIn(asking, Date.parse(claimedAt)),
  );
  if (slotless !== undefined) return ofSlotlessRun(asking, slotless);
  return withoutRun(asking, inForce, grid);
}

function precisionOf(at: number): number {
  if (at % 60_000 === 0) return 59_999;
  return at % 1000 === 0 ? 999 : 0;
}

/** The period in which slots of an instant are searched. */
export function stretchOf(at: number): { readonly from: number; readonly until: number } {
  return { from: at, until: at + precisionOf(at) };
}

type Grid = ReturnType<typeof gridOf>;

function gridAt({ records, until }: Asking, inForce: InForce | null): Grid {
  const standing = inForce?.standing ?? null;
  return standing === null ? null : gridOf(standing, armingAt(records, until));
}

function isIn({ from, until }: Pick<Asking, 'from' | 'until'>, at: number): boolean {
  return at >= from && at <= until;
}

function firstRun(asking: Asking, grid: Grid): FoundRun | null {
  const slot = slotIn(grid, asking);
  const found = asking.records.runs.flatMap((run): FoundRun[] => {
    if (run.scheduledFor === null) return [];
    const first = Date.parse(run.scheduledFor);
    const last = Date.parse(run.scheduledUntil ?? run.scheduledFor);
    const between = slot !== null && slot > first && slot < last ? [slot] : [];
    const [own] = [first, ...between, last].filter((each) => isIn(asking, each));
    return own === undefined ? [] : [{ run, slot: own }];
  });
  return found.sort((a, b) => a.slot - b.slot)[0] ?? null;
}

function withoutRun(asking: Asking, inForce: InForce | null, grid: Grid): WhyAnswer {
  const { records, from } = asking;
  if (inForce === null) return unknownAnswer(asking, firstKnown(records));
  const { change, standing } = inForce;
  if (standing === null) {
    return change.kind === 'removed'
      ? removedAnswer(asking, inForce)
      : invalidAnswer(asking, inForce);
  }
  if (!standing.enabled) return offAnswer(asking, inForce);
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
  const slot = slotIn(grid, asking);
  if (slot !== null) return undecided(asking, inForce, slot);
  return noSlot(asking, inForce, grid, from);
}

function noSlot(
  { records, telling, until }: Asking,
  { change, standing }: InForce,
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
    before === null ? null : `the previous slot was ${telling.moment(before)}`,
    after === null ? null : `the next is ${telling.moment(after)}`,
  ].filter((part) => part !== null);
  const tail = nearest.length === 0 ? '' : `; ${nearest.join(', ')}`;
  const sentences = [`No slot: the schedule was ${says}${tail}.`];
  const changes = armed === null ? [change] : [change, armed];
  return answer({ decision: 'no_slot', by: 'service', sentences, before, after, changes });
}
