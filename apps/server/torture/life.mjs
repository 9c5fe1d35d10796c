// @ts-check
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillDisk, killAgent, startLocked, suspend } from './faults.mjs';
import { LIBRARY } from './machine-clock.mjs';
import { randomSchedule } from './plan.mjs';

/** @typedef {import('./bench.mjs').Bench} Bench */
/** @typedef {import('./server-process.mjs').ServerProcess} ServerProcess */

const SECOND = 1000;
const MINUTE = 60_000;
// The maximum offset of the clock from the real one.
const FARTHEST = { edits: 100 * MINUTE, clock: 480 * MINUTE };
const LONGEST_START_MS = 300_000;
const LONGEST_WAIT_MS = 5000;
const AWAY_MS = 6000;

/** One life of the server: started, used, disturbed, and killed at some point; then a period without it. @param {Bench} bench @param {boolean} quick */
export async function runLife(bench, quick) {
  const { random } = bench.plan;
  const server = bench.start();
  const way = random.next();
  if (way < 0.2) {
    await sleep(random.int(0, startMs(bench)));
    await bench.kill(server);
  } else if (await startsListening(bench, server)) {
    const longest = quick ? 1500 : 2200;
    const until =
      way < 0.32
        ? agentBegins(bench, server, LONGEST_WAIT_MS)
        : sleep(random.chance(0.08) ? random.int(3000, 7000) : random.int(0, longest));
    const working = disturb(bench, server);
    await until;
    if (way < 0.92) await bench.kill(server);
    else await stop(bench, server);
    await working;
  }
  await meanwhile(bench);
}

/** A life that ends right after an agent has started to work, together with that agent; the next one starts some time later. Returns whether an agent was interrupted. @param {Bench} bench */
export async function killAtWork(bench) {
  const server = bench.start();
  if (!(await startsListening(bench, server))) return false;
  await resume(bench);
  await agentBegins(bench, server, LONGEST_START_MS);
  await bench.kill(server);
  const isInterrupted = killAgent(bench);
  if (LIBRARY === null) await sleep(AWAY_MS);
  else bench.clock.step(AWAY_MS);
  return isInterrupted;
}

/** @param {Bench} bench @param {ServerProcess} server @param {number} longestMs */
async function agentBegins({ agentsLog }, server, longestMs) {
  const count = () => readFileSync(agentsLog, 'utf8').split('begin ').length;
  const before = count();
  const late = Date.now() + longestMs;
  while (server.isUp && Date.now() < late && count() === before) await sleep(5);
}

/** @param {Bench} bench @param {ServerProcess} server */
async function startsListening(bench, server) {
  const late = sleep(LONGEST_START_MS, null, { ref: false });
  const isUp = await Promise.race([server.listening, late]);
  if (isUp === true) return true;
  bench.broken.push(
    isUp === null ? 'It did not start within five minutes.' : `It did not start: ${server.stderr}`,
  );
  await bench.kill(server);
  return false;
}

/** The duration of starts, with a margin. @param {Bench} bench */
function startMs({ lives }) {
  const known = lives.flatMap(({ spawnedAt, listeningAt }) =>
    listeningAt === null ? [] : listeningAt - spawnedAt,
  );
  return Math.round(1.1 * (known.at(-1) ?? 600));
}

/** Asks it to stop; kills it during the shutdown, or waits for it. @param {Bench} bench @param {ServerProcess} server */
async function stop(bench, server) {
  const { random } = bench.plan;
  server.signal('SIGTERM');
  if (random.chance(0.6)) {
    await sleep(random.int(0, 250));
    await bench.kill(server);
    return;
  }
  const code = await server.exit;
  if (code !== 0) bench.broken.push(`It stopped with ${code}: ${server.stderr}`);
}

/** @param {Bench} bench @param {ServerProcess} server */
async function disturb(bench, server) {
  const { random } = bench.plan;
  while (server.isUp) {
    await sleep(random.int(0, 500));
    if (server.isUp) await randomAction(bench)(bench);
  }
  if (server.endedAt === null) await server.exit;
}

/** @param {Bench} bench @returns {(bench: Bench) => void | Promise<void>} */
function randomAction({ plan: { random, kind } }) {
  const clock = kind === 'clock';
  return random.pick([
    look,
    look,
    runNow,
    editPrompt,
    ...(clock ? [fillDisk] : [editSchedule, editSchedule, turnOver]),
    pauseOrResume,
    suspend,
    killAgent,
    clock ? stepEither : stepForward,
  ]);
}

/** @param {Bench} bench */
function look(bench) {
  return bench.look(50);
}

/** @param {Bench} bench */
async function runNow(bench) {
  const { project, name } = bench.plan.random.pick([...bench.wanted.values()]);
  const reply = await bench.server?.send('POST', `/api/projects/${project}/triggers/${name}/run`);
  if (reply?.status === 202) bench.asked.push({ project, trigger: name, id: reply.body.runId });
}

/** @param {Bench} bench */
async function editPrompt(bench) {
  const { random } = bench.plan;
  const was = random.pick([...bench.wanted.values()]);
  await bench.edit(was, { workMs: random.pick([0, 50, 300]) }, random.pick(['file', 'rest']));
}

/** @param {Bench} bench */
async function editSchedule(bench) {
  const { random } = bench.plan;
  const was = random.pick([...bench.wanted.values()]);
  const when = randomSchedule(
    random,
    bench.plan.triggers.every((one) => 'interval' in one.when),
  );
  if (JSON.stringify(when) === JSON.stringify(was.when)) return;
  await follow(bench, await bench.edit(was, { when }, wayOf(bench)));
}

/** Disables a trigger, and enables it again later. @param {Bench} bench */
async function turnOver(bench) {
  const all = [...bench.wanted.values()];
  const was = all.find(({ enabled }) => !enabled) ?? bench.plan.random.pick(all);
  await follow(bench, await bench.edit(was, { enabled: !was.enabled }, wayOf(bench)));
}

/** @param {Bench} bench @returns {'file' | 'rest'} */
function wayOf({ server, plan }) {
  return server?.isUp === true && plan.random.chance(0.5) ? 'rest' : 'file';
}

/** Waits until the service reports that it has applied an edit. @param {Bench} bench @param {import('./bench.mjs').Edit | null} edit */
async function follow(bench, edit) {
  const { server, clock } = bench;
  if (edit === null || server === null) return;
  const { project, name, enabled } = edit.wanted;
  const was = bench.edits
    .filter((one) => one.wanted.name === name && one.isSchedule)
    .at(-2)?.wanted;
  // A disabled trigger that stays disabled is not armed again.
  if (!enabled && was?.enabled === false) return;
  while (server.isUp) {
    const reply = await server.send(
      'GET',
      `/api/projects/${project}/triggers/${name}/changes?limit=10`,
    );
    const kind = enabled ? 'armed' : 'disarmed';
    const found = reply?.body.changes?.some(
      (/** @type {any} */ change) =>
        change.kind === kind && Date.parse(change.at) >= clock.at(edit.from),
    );
    if (found) {
      edit.seen ??= Date.now();
      return;
    }
    await sleep(50);
  }
}

/** @param {Bench} bench */
async function pauseOrResume(bench) {
  const { random } = bench.plan;
  if (bench.pausedAt === null) {
    if (!random.chance(0.5)) return;
    const reply = await bench.server?.send('POST', '/api/pause', { reason: 'torture' });
    if (reply?.status === 200) bench.pausedAt = Date.now();
    return;
  }
  await resume(bench);
}

/** @param {Bench} bench */
export async function resume(bench) {
  if (bench.pausedAt !== null) bench.pauses.push({ from: bench.pausedAt, until: Date.now() });
  bench.pausedAt = null;
  return bench.server?.send('POST', '/api/resume');
}

/** @param {Bench} bench */
function stepForward({ clock, plan: { random } }) {
  const room = FARTHEST.edits - clock.offset;
  clock.step(Math.min(room, random.pick([random.int(1, 2500), random.int(3, 200) * SECOND])));
}

/** @param {Bench} bench */
function stepEither({ clock, plan: { random } }) {
  const ms = random.chance(0.15)
    ? random.int(60, 300) * MINUTE
    : random.pick([random.int(1, 2500), random.int(3, 240) * SECOND]);
  clock.step(
    random.chance(0.5) ? Math.min(ms, FARTHEST.clock - clock.offset) : -stepBack(clock, ms),
  );
}

/** The maximum step back of a clock, which repeats the same times. @param {import('./machine-clock.mjs').MachineClock} clock @param {number} ms */
function stepBack({ offset }, ms) {
  return Math.max(0, Math.min(ms, offset + 20 * MINUTE));
}

/** Faults while the server is down. @param {Bench} bench */
async function meanwhile(bench) {
  const { random, kind } = bench.plan;
  if (random.chance(0.25)) {
    const ms = random.int(1, random.chance(0.3) ? 1200 : 90) * SECOND;
    const isBack = kind === 'clock' && random.chance(0.5);
    bench.clock.step(
      isBack ? -stepBack(bench.clock, ms) : Math.min(ms, FARTHEST[kind] - bench.clock.offset),
    );
  }
  if (random.chance(0.2))
    await random.pick(kind === 'edits' ? [editSchedule, turnOver] : [editFile])(bench);
  if (random.chance(0.04)) await startLocked(bench);
  if (random.chance(0.15)) killAgent(bench);
  await sleep(random.pick([0, 0, random.int(0, 300), random.int(0, 1500)]));
}

/** @param {Bench} bench */
async function editFile(bench) {
  await bench.edit(bench.plan.random.pick([...bench.wanted.values()]), { workMs: 50 }, 'file');
}
