// @ts-check
// Kills a real server repeatedly under a plan, heals it, and compares its report with what happened.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addRound, loadProgress, saveProgress, summaryOf } from './long-run.mjs';
import { LIBRARY } from './machine-clock.mjs';
import { PLANTS } from './plants.mjs';
import { runRound } from './round.mjs';

const HELP = `npm run torture -- [options]

  --kills N      end after at least N kills (default 50)
  --parallel N   run N homes at the same time (default 2)
  --per-round N  heal and check a home after N kills (default 25)
  --seed N       set the seed of the plan (default 1)
  --dir DIR      store homes and progress in DIR (default: a new temporary folder)
  --resume DIR   resume the run in DIR
  --round N      run only round N of the plan
  --quick        use only schedules with short waits
  --plant NAME   run a server with this fault, which the checker must find (see plants.mjs)

The last line shows kills, slots, rows, lines of agents, and findings; the exit code is 0 without findings.
`;

const OPTIONS = /** @type {const} */ ({
  options: {
    kills: { type: 'string', default: '50' },
    parallel: { type: 'string', default: '2' },
    'per-round': { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    dir: { type: 'string' },
    resume: { type: 'string' },
    round: { type: 'string' },
    quick: { type: 'boolean', default: false },
    plant: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Parses the arguments; invalid ones end with a sentence, before anything is created. */
function asked() {
  try {
    const { values } = parseArgs(OPTIONS);
    const fault = faultIn(values);
    if (fault === null) return values;
    throw new Error(fault);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    process.stderr.write(`torture: ${message.replace(/\.?$/, '.')} See --help.\n`);
    process.exit(2);
  }
}

/** @param {ReturnType<typeof parseArgs<typeof OPTIONS>>['values']} values @returns {string | null} */
function faultIn(values) {
  const least = { kills: 1, parallel: 1, 'per-round': 1, seed: 0, round: 0 };
  for (const name of /** @type {(keyof typeof least)[]} */ (Object.keys(least))) {
    const text = values[name];
    if (text !== undefined && !(/^\d{1,9}$/.test(text) && Number(text) >= least[name]))
      return `--${name} takes a whole number from ${least[name]}, not ${text}.`;
  }
  if (values.plant !== undefined && PLANTS[values.plant] === undefined)
    return `--plant takes ${Object.keys(PLANTS).join(', ')}, not ${values.plant}.`;
  if (values.resume !== undefined && !existsSync(join(values.resume, 'progress.json')))
    return `--resume finds no progress.json in ${values.resume}: start there with --dir.`;
  return null;
}

const values = asked();

const MAX_LISTED = 12;

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {AbortSignal} signal */
async function torture(signal) {
  const dir = resolve(values.resume ?? values.dir ?? mkdtempSync(join(tmpdir(), 'svc-torture-')));
  const progress = loadProgress(dir, Number(values.seed));
  const perRound = Number(values['per-round']);
  const options = {
    seed: progress.seed,
    dir,
    kills: perRound,
    quick: values.quick,
    plant: values.plant ?? null,
    signal,
  };
  say(
    `seed ${progress.seed}, in ${dir}${LIBRARY === null ? ', no clock steps (libfaketime is not installed)' : ''}`,
  );
  if (values.round === undefined) {
    const target = Number(values.kills);
    const running = new Set(progress.open.splice(0));
    const left = [...running];
    const lane = async () => {
      while (!signal.aborted && progress.kills + (running.size - left.length) * perRound < target) {
        const round = left.shift() ?? progress.nextRound++;
        running.add(round);
        progress.open = [...running];
        saveProgress(dir, progress);
        tell(dir, progress, await runRound(round, options), () => running.delete(round));
      }
    };
    await Promise.all(Array.from({ length: Number(values.parallel) }, lane));
  } else {
    tell(dir, progress, await runRound(Number(values.round), options), () => {});
  }
  say(summaryOf(progress));
  return Object.values(progress.found).every((count) => count === 0);
}

/** @param {string} dir @param {import('./long-run.mjs').Progress} progress @param {import('./round.mjs').RoundResult | null} result @param {() => void} onDone */
function tell(dir, progress, result, onDone) {
  if (result === null) return;
  onDone();
  addRound(progress, result);
  progress.open = progress.open.filter((round) => round !== result.round);
  saveProgress(dir, progress);
  say(
    `round ${result.round}: ${result.kills} kills in ${Math.round(result.ms / 1000)} s; ${summaryOf(progress)}`,
  );
  for (const { kind, text } of result.findings.slice(0, MAX_LISTED)) say(`  ${kind}: ${text}`);
  if (result.folder === null) return;
  const plant = values.plant === undefined ? '' : ` --plant ${values.plant}`;
  const again = `--seed ${progress.seed} --round ${result.round} --per-round ${values['per-round']}${values.quick ? ' --quick' : ''}${plant}`;
  say(`  its home is in ${result.folder}; repeat: npm run torture -- ${again}`);
}

if (values.help) {
  process.stdout.write(HELP);
} else {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  process.exitCode = (await torture(stop.signal)) ? 0 : 1;
}
