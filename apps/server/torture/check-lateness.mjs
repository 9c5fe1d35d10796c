// @ts-check
import { iso } from './epochs.mjs';
import { periodOf, slotAfter } from './slots.mjs';

/** @typedef {import('./check.mjs').Case} Case */

// Times are recorded in whole milliseconds.
const ROUNDING_MS = 2;
/** As documented: a start later than this is not on time. */
const GRACE_MS = 60_000;
/** A start at most this late counts as on time even if nothing could be claimed when it was due. */
const STALL_MS = 2000;
/** Catch-up of a slot is judged at the time when the slot was first found late. */
const WAITING_MS = 90_000;

/** No row may report wrong times for due, claimed and started. A correctly reported delay is no finding. @param {Case} given */
export function checkLateness(given) {
  const { rows, bench, lines } = given;
  const begins = new Map(
    lines.filter(({ kind }) => kind === 'begin').map((line) => [line.run, line.at]),
  );
  const ends = new Map(
    lines.filter(({ kind }) => kind === 'end').map((line) => [line.run, line.at]),
  );
  const delays = new Map();
  for (const found of rows) {
    const row = { ...found, lateMs: lateAtClaim(found) };
    const wanted = bench.wanted.get(row.trigger);
    if (wanted === undefined) continue;
    const delay = row.cause === 'schedule' ? checkClaim(given, row, wanted, delays) : 0;
    checkOrder(given, row, begins.get(row.id), ends.get(row.id));
    // Where the clock was set back, one time is ambiguous.
    if (bench.plan.kind !== 'edits' || row.cause !== 'schedule') continue;
    if (isRun(row)) checkCatchUp(given, row, delay, wanted);
    else if (row.outcome === 'missed') checkGivenUp(given, row, delay, wanted);
  }
  if (bench.plan.kind === 'edits') checkPauses(given);
}

/** A row reports how late its turn started; a delay after the claim does not concern the claim. @param {any} row */
function lateAtClaim({ lateMs, startedAt, claimedAt }) {
  if (lateMs === null || startedAt === null) return lateMs;
  return lateMs - Math.max(0, Date.parse(startedAt) - Date.parse(claimedAt));
}

/** @param {any} row */
function isRun({ startedAt, outcome }) {
  return startedAt !== null || ['succeeded', 'failed', 'interrupted'].includes(outcome);
}

/** @param {any} row */
function nameOf(row) {
  return `run ${row.id} of ${row.trigger} for ${row.scheduledFor}, ${row.outcome}`;
}

/** Checks that it is as late as it reports; returns the jitter of its start. @param {Case} given @param {any} row @param {import('./plan.mjs').Wanted} wanted @param {Map<string, number>} delays */
function checkClaim({ finding, bench }, row, wanted, delays) {
  const claimed = Date.parse(row.claimedAt);
  const delay = claimed - Date.parse(row.scheduledFor) - row.lateMs;
  const most = wanted.jitter === null ? 0 : periodOf(wanted.jitter);
  const known = delays.get(row.trigger);
  const isNear = (/** @type {number} */ one) => Math.abs(delay - one) <= ROUNDING_MS;
  const isRight =
    delay >= -ROUNDING_MS && delay <= most + ROUNDING_MS && (known === undefined || isNear(known));
  if (!isRight)
    finding(
      'late',
      `it reports ${row.lateMs} ms late, and was claimed ${row.claimedAt} with a delay of ${known ?? most} ms: ${nameOf(row)}`,
    );
  else if (known === undefined) delays.set(row.trigger, delay);
  const { clock, lives } = bench;
  const isAlive = lives.some(
    ({ spawnedAt, endedAt }) =>
      clock.wasSetBack(spawnedAt, endedAt ?? Date.now()) ||
      (claimed >= clock.at(spawnedAt) - ROUNDING_MS &&
        claimed <= clock.at(endedAt ?? Date.now()) + ROUNDING_MS),
  );
  if (!isAlive)
    finding('late', `it was claimed at ${row.claimedAt}, when no server ran: ${nameOf(row)}`);
  return delays.get(row.trigger) ?? 0;
}

/** Claimed, started, working, ended, in this order by both clocks. @param {Case} given @param {any} row @param {number | undefined} begin @param {number | undefined} end */
function checkOrder({ finding, bench }, row, begin, end) {
  if (begin === undefined || row.startedAt === null) return;
  const { clock } = bench;
  if (clock.wasSetBack(begin, end ?? begin)) return;
  const recorded = [row.claimedAt, row.startedAt].map((text) => Date.parse(text));
  const seen = [begin, ...(end === undefined ? [] : [end])].map((at) => clock.at(at));
  const ended = row.outcome === 'succeeded' ? [Date.parse(row.endedAt)] : [];
  const all = [...recorded, ...seen, ...ended];
  const isOrdered = all.every((at, n) => n === 0 || at >= (all[n - 1] ?? 0) - ROUNDING_MS);
  if (!isOrdered)
    finding(
      'late',
      `its times and those of its agent contradict each other (${all.map(iso).join(', ')}): ${nameOf(row)}`,
    );
}

/** Slots that were due while no server ran must be made up for, and slots claimed on time must not. @param {Case} given @param {any} row @param {number} delay @param {import('./plan.mjs').Wanted} wanted */
function checkCatchUp({ finding, bench }, row, delay, wanted) {
  const { clock, lives } = bench;
  const claimed = Date.parse(row.claimedAt);
  const due = Date.parse(row.scheduledFor) + delay;
  const life = lives.findLast(({ spawnedAt }) => clock.at(spawnedAt) <= claimed + ROUNDING_MS);
  if (life === undefined) return;
  if (row.catchUp) {
    const window = wanted.window === null ? defaultWindow(bench, row) : periodOf(wanted.window);
    if (wanted.catchUp === 'none')
      finding('late', `it was made up for, against its policy: ${nameOf(row)}`);
    if (row.lateMs > window + WAITING_MS)
      finding('late', `it was made up for ${row.lateMs} ms late: ${nameOf(row)}`);
    const wasUp = life.listeningAt !== null && due >= clock.at(life.listeningAt);
    if (wasUp && row.lateMs <= STALL_MS)
      finding('late', `it was on time and is reported as made up for: ${nameOf(row)}`);
  } else if (row.lateMs > GRACE_MS || due < clock.at(life.spawnedAt) - ROUNDING_MS) {
    finding(
      'late',
      `it was due before the start of the server, ${row.lateMs} ms late, and is reported as on time: ${nameOf(row)}`,
    );
  }
}

/** The widest of the schedules that it may be a slot of: edits change their windows. @param {import('./bench.mjs').Bench} bench @param {any} row */
function defaultWindow({ edits, clock }, row) {
  const whens = edits
    .filter(
      ({ wanted, from }) =>
        wanted.name === row.trigger && clock.at(from) <= Date.parse(row.claimedAt),
    )
    .map(({ wanted: { when } }) => ('interval' in when ? periodOf(when.interval) : 3_600_000));
  return Math.max(...whens);
}

/** The newest of the passed slots runs if it is recent enough. @param {Case} given @param {any} row @param {number} delay @param {import('./plan.mjs').Wanted} wanted */
function checkGivenUp({ finding, bench, evidence }, row, delay, wanted) {
  // The default window depends on the interval, which edits change.
  if (wanted.catchUp === 'none' || wanted.window === null) return;
  const decided = Date.parse(row.endedAt);
  const last = Date.parse(row.scheduledUntil);
  if (decided - last - delay >= periodOf(wanted.window)) return;
  const armed = (evidence.changes.get(row.trigger) ?? []).filter(({ kind }) => kind === 'armed');
  const anchor = armed.map((one) => Date.parse(one.anchor)).findLast((at) => at < last);
  const edit = bench.edits.findLast(
    (one) =>
      one.wanted.name === row.trigger &&
      one.isSchedule &&
      anchor !== undefined &&
      bench.clock.at(one.from) <= anchor + ROUNDING_MS,
  );
  if (anchor === undefined || edit === undefined) return;
  const next = slotAfter(edit.wanted.when, { anchor, after: last });
  if (next === null || next + delay <= decided + ROUNDING_MS) return;
  finding(
    'late',
    `it was marked missed ${decided - last - delay} ms late, inside its window: ${nameOf(row)}`,
  );
}

/** After the answer of a pause, nothing starts automatically. @param {Case} given */
function checkPauses({ bench, rows, finding }) {
  for (const { from, until } of bench.pauses) {
    for (const row of rows) {
      const started =
        row.startedAt === null || row.cause !== 'schedule' ? null : Date.parse(row.startedAt);
      const isIn =
        started !== null &&
        started > bench.clock.at(from) + ROUNDING_MS &&
        started < bench.clock.at(until) - ROUNDING_MS;
      if (isIn) finding('wrong', `it started while everything was paused: ${nameOf(row)}`);
    }
  }
}
