// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { resume } from './life.mjs';
import { periodOf, slotsOf } from './slots.mjs';

/** @typedef {import('./bench.mjs').Bench} Bench */

const TRIES = 3;
// For a busy machine; reached only for a condition that never occurs, as expected of a planted fault.
const LONGEST_MS = 300_000;
const LONGEST_PLANTED_MS = 15_000;
// Longer than the steps of the clock: everything before was decided earlier.
const LOOKING_BACK_MS = 12 * 3_600_000;

/** Starts the service without faults, waits until it has processed everything, and reads its report. @param {Bench} bench */
export async function heal(bench) {
  for (let n = 0; n < TRIES; n += 1) {
    const server = bench.start();
    if (await server.listening) break;
    bench.broken.push(`It did not start when healed: ${server.stderr}`);
  }
  // Before retention removes old rows.
  for (const row of await allRows(bench)) bench.reported.set(row.id, row);
  await resume(bench);
  const cut = bench.clock.now();
  await until(bench, 'some slots were never decided', () => isDecided(bench, cut));
  await disableAll(bench);
  await until(bench, 'some runs never ended', () => isQuiet(bench));
  return cut;
}

/** @param {Bench} bench @param {string} what @param {() => Promise<boolean>} look */
async function until(bench, what, look) {
  const late = Date.now() + (bench.plant === null ? LONGEST_MS : LONGEST_PLANTED_MS);
  while (!(await look())) {
    if (Date.now() > late || bench.server?.isUp !== true) {
      bench.broken.push(
        bench.server?.isUp === true ? `When healed, ${what}.` : 'It ended while it was healed.',
      );
      return;
    }
    await sleep(200);
  }
}

/** @param {Bench} bench @param {number} cut */
async function isDecided(bench, cut) {
  const rows = await allRows(bench);
  for (const wanted of bench.wanted.values()) {
    const own = rows.filter(({ trigger, slotCount }) => trigger === wanted.name && slotCount > 0);
    if (wanted.enabled && !(await isDecidedOf(bench, wanted, own, cut))) return false;
  }
  return true;
}

/** @param {Bench} bench @param {import('./plan.mjs').Wanted} wanted @param {any[]} rows @param {number} cut */
async function isDecidedOf(bench, { project, name, when, jitter }, rows, cut) {
  const reply = await get(bench, project, `triggers/${name}/changes?limit=20`);
  const armed = reply?.changes.find((/** @type {any} */ one) => one.kind === 'armed');
  const anchor = Date.parse(armed?.anchor);
  if (Number.isNaN(anchor)) return false;
  const until = cut - (jitter === null ? 0 : periodOf(jitter));
  const first = rows.map(({ scheduledFor }) => Date.parse(scheduledFor) - 1);
  const since = bench.plan.kind === 'clock' ? Math.min(anchor, ...first) : anchor;
  const slots = slotsOf(when, { anchor, after: Math.max(since, until - LOOKING_BACK_MS), until });
  return areCovered(slots, rows, bench.plan.retention === null ? null : until);
}

/**
 * Whether each slot has a row. Where rows are removed up to a time, those of slots older than the newest remaining one may be
 * missing; rows that a clock ahead of time created say nothing about them.
 *
 * @param {number[]} slots
 * @param {any[]} rows
 * @param {number | null} removedUntil
 */
function areCovered(slots, rows, removedUntil) {
  const sorted = rows
    .map((row) => ({ from: Date.parse(row.scheduledFor), until: Date.parse(row.scheduledUntil) }))
    .sort((a, b) => a.from - b.from);
  const kept =
    removedUntil === null ? 0 : (sorted.findLast(({ from }) => from <= removedUntil)?.from ?? 0);
  let at = 0;
  for (const slot of slots) {
    while ((sorted[at]?.until ?? Number.POSITIVE_INFINITY) < slot) at += 1;
    if (slot >= kept && !((sorted[at]?.from ?? Number.POSITIVE_INFINITY) <= slot)) return false;
  }
  return true;
}

/** @param {Bench} bench */
async function disableAll(bench) {
  for (const was of [...bench.wanted.values()]) {
    if (!was.enabled) continue;
    const from = Date.now();
    const wanted = { ...was, enabled: false, version: was.version + 1 };
    bench.wanted.set(was.name, wanted);
    bench.edits.push({ wanted, isSchedule: true, from, written: from, seen: null });
  }
  for (const project of bench.projects) bench.writeProject(project);
  await until(bench, 'some triggers stayed armed', () => isOff(bench));
  for (const edit of bench.edits) edit.seen ??= Date.now();
}

/** @param {Bench} bench */
async function isOff(bench) {
  for (const project of bench.projects) {
    const reply = await get(bench, project, 'triggers/runtime');
    if (reply === null || reply.runtime.some((/** @type {any} */ one) => one.armed)) return false;
  }
  return true;
}

/** @param {Bench} bench */
async function isQuiet(bench) {
  const rows = await allRows(bench);
  return rows.every(({ state }) => state === 'ended');
}

/** Sends a request to a healed service, however long it takes. @param {Bench} bench @param {string} project @param {string} path */
export async function get({ server }, project, path) {
  while (server?.isUp === true) {
    const reply = await server.send('GET', `/api/projects/${project}/${path}`);
    if (reply !== null) return reply.status === 200 ? reply.body : null;
  }
  return null;
}

/** Every row, newest first. @param {Bench} bench @returns {Promise<any[]>} */
export async function allRows(bench) {
  const rows = [];
  for (const project of bench.projects) {
    let cursor = '';
    do {
      const page = await get(bench, project, `runs?limit=200${cursor}`);
      rows.push(...(page?.runs ?? []));
      cursor = page?.next == null ? '' : `&cursor=${page.next}`;
    } while (cursor !== '');
  }
  return rows;
}

/** Every change of a trigger, oldest first. @param {Bench} bench @param {import('./plan.mjs').Wanted} wanted @returns {Promise<any[]>} */
export async function changesOf(bench, { project, name }) {
  const changes = [];
  let cursor = '';
  do {
    const page = await get(bench, project, `triggers/${name}/changes?limit=200${cursor}`);
    changes.push(...(page?.changes ?? []));
    cursor = page?.next == null ? '' : `&cursor=${page.next}`;
  } while (cursor !== '');
  return changes.reverse();
}
