// @ts-check

/** @typedef {import('./check.mjs').Case} Case */
/** @typedef {{ kind: string, run: string, turn: string, trigger: string, version: number, at: number, index: number }} Line */

const ENDED = [
  'succeeded',
  'failed',
  'interrupted',
  'cancelled',
  'missed',
  'skipped_overlap',
  'skipped_paused',
];

/** Parses the lines written by agents. @param {string} text @returns {Line[]} */
export function readLines(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    const [kind = '', run = '', turn = '', trigger = '', version = '', at = ''] = line.split(' ');
    return {
      kind,
      run,
      turn,
      trigger,
      version: Number(version.slice(1)),
      at: Number(at) * 1000,
      index,
    };
  });
}

/** Checks rows against the lines of agents, and the other way round. @param {Case} given */
export function checkAgents(given) {
  const { rows, lines, finding } = given;
  const byRun = Map.groupBy === undefined ? groupBy(lines) : Map.groupBy(lines, ({ run }) => run);
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const [run, own] of byRun) {
    const row = known.get(run);
    if (row === undefined) {
      if (!given.mayBeRemoved(own))
        finding('wrong', `an agent worked for a run without a row: ${run} of ${own[0]?.trigger}`);
      continue;
    }
    checkNames(given, row, own);
  }
  for (const row of rows) checkRow(given, row, byRun.get(row.id) ?? []);
  checkOverlap(given);
}

/** @param {Line[]} lines */
function groupBy(lines) {
  /** @type {Map<string, Line[]>} */
  const groups = new Map();
  for (const line of lines) groups.set(line.run, [...(groups.get(line.run) ?? []), line]);
  return groups;
}

/** @param {Case} given @param {any} row @param {Line[]} lines */
function checkNames({ finding }, row, lines) {
  for (const { trigger, turn } of lines) {
    if (trigger !== row.trigger)
      finding('wrong', `run ${row.id} belongs to ${row.trigger}, its agent to ${trigger}`);
    if (turn !== row.turnId)
      finding('duplicate', `run ${row.id} had the turn ${turn} in addition to ${row.turnId}`);
  }
}

/** @param {Case} given @param {any} row @param {Line[]} lines */
function checkRow({ bench, finding }, row, lines) {
  const begun = lines.filter(({ kind }) => kind === 'begin').length;
  const ended = lines.filter(({ kind }) => kind === 'end').length;
  const { id, trigger, outcome } = row;
  const where = `run ${id} of ${trigger} for ${row.scheduledFor}, ${outcome} (${row.reason})`;
  if (row.state !== 'ended') finding('wrong', `it stays ${row.state}: ${where}`);
  else if (!ENDED.includes(outcome)) finding('wrong', `it has an impossible outcome: ${where}`);
  if (begun > 1 || ended > 1)
    finding('duplicate', `its agent started ${begun} times and ended ${ended} times: ${where}`);
  if (outcome === 'succeeded' && (begun === 0 || ended === 0)) {
    finding(
      'wrong',
      `it succeeded, and its agent ${begun === 0 ? 'never worked' : 'did not finish'}: ${where}`,
    );
  }
  if (outcome === 'succeeded' && bench.wanted.get(trigger)?.fails === true)
    finding('wrong', `it cannot have succeeded: ${where}`);
  if (begun === 0) return;
  if (row.startedAt === null) finding('wrong', `its agent worked, and it has no start: ${where}`);
  if (outcome === 'missed' || outcome?.startsWith('skipped_'))
    finding('wrong', `its agent worked: ${where}`);
}

/**
 * Agents of a trigger that must not overlap itself never work at the same time.
 *
 * @param {Case} given
 */
function checkOverlap({ bench, rows, lines, finding }) {
  const ends = new Map(
    lines.filter(({ kind }) => kind === 'end').map((line) => [line.run, line.index]),
  );
  const scheduled = new Set(rows.filter(({ cause }) => cause === 'schedule').map(({ id }) => id));
  for (const { name, overlap } of bench.wanted.values()) {
    if (overlap === 'allow') continue;
    let latest = -1;
    for (const { kind, run, index } of lines.filter(({ trigger }) => trigger === name)) {
      if (kind !== 'begin' || !scheduled.has(run)) continue;
      if (index < latest)
        finding('duplicate', `run ${run} of ${name} started before the previous one had ended`);
      latest = Math.max(latest, ends.get(run) ?? -1);
    }
  }
}

/** Everything the service reported or accepted before it was killed must still be so. @param {Case} given */
export function checkReported(given) {
  const { bench, rows, finding } = given;
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const reported of bench.reported.values()) {
    // Rows of slots that did not run are merged.
    if (reported.state !== 'ended' || isShared(reported.outcome)) continue;
    const row = known.get(reported.id);
    const where = `run ${reported.id} of ${reported.trigger} was reported as ${reported.outcome}, and is`;
    if (row === undefined) finding('lost', `${where} gone`);
    else if (row.outcome !== reported.outcome || row.endedAt !== reported.endedAt) {
      finding('wrong', `${where} ${row.outcome} now`);
    }
  }
  for (const asked of bench.asked) checkAsked(given, asked, known.get(asked.id));
}

/** @param {Case} given @param {import('./bench.mjs').AskedRun} asked @param {any} row */
function checkAsked({ finding, mayBeRemoved }, { id, trigger }, row) {
  const where = `run ${id} of ${trigger} was accepted on request, and`;
  if (row === undefined && !mayBeRemoved([])) finding('lost', `${where} is gone`);
  if (row !== undefined && isShared(row.outcome)) finding('lost', `${where} ${row.outcome}`);
}

/** Whether one row with such an outcome stands for several slots. @param {string | null} outcome */
export function isShared(outcome) {
  return outcome === 'missed' || String(outcome).startsWith('skipped_');
}
