// Fires simulated in a second, for a hundred triggers over 30 days and for one of every second over 30 days, against
// computing the same slots with the bare recurrence, one after the other; and the memory that it takes.
import { nextFireMs, parseCron, parseInterval } from '@svc/recurrence';
import { parseProject } from '@svc/trigger-schema';
import { simulate } from '../dist/index.js';

const FROM = Date.parse('2026-03-15T00:00:00Z');
const DAYS = 30;
const UNTIL = FROM + DAYS * 86_400_000;
const MOST_TIMES = { hundred: 300, second: 1500 };
const MOST_MEGABYTES = 600;

/** @param {number} n */
const cronOf = (n) => `${n % 60} ${n % 3 === 0 ? '*' : n % 24} * * *`;
const hundred = Array.from({ length: 100 }, (_, n) => ({ cron: cronOf(n) }));
const everySecond = [{ interval: '1s' }];

/** @param {readonly { cron?: string, interval?: string }[]} all */
function projectOf(all) {
  const entries = all.map(({ cron, interval }, n) => {
    const when =
      cron === undefined ? `interval: ${interval}` : `cron: "${cron}", timezone: Europe/Berlin`;
    return `  t${n}: { trigger: { type: schedule, ${when} }, run: { prompt: x }, enabled: true }\n`;
  });
  const parsed = parseProject(`triggers:\n${entries.join('')}`);
  if (!parsed.ok) throw new Error('The project cannot be read.');
  return [{ slug: 'bench', file: parsed.value }];
}

/** @param {readonly { cron?: string, interval?: string }[]} all */
async function simulated(all) {
  const began = performance.now();
  const { triggers } = await simulate({
    ...{ projects: projectOf(all), from: FROM, until: UNTIL, withDisabled: false },
    durationOf: () => 60_000,
    costOf: () => 0,
    rules: {
      limits: { concurrent: 4, perProject: 2 },
      ...{ firesPerDay: null, costPerDayUsd: null, turnTimeoutMs: 3_600_000 },
    },
  });
  const fires = triggers.reduce((sum, one) => sum + one.fires, 0);
  return { fires, seconds: (performance.now() - began) / 1000 };
}

/** @param {readonly { cron?: string, interval?: string }[]} all */
function computed(all) {
  const began = performance.now();
  let fires = 0;
  for (const { cron, interval } of all) {
    const parsed =
      cron === undefined
        ? parseInterval(interval, { anchor: FROM })
        : parseCron(cron, { timezone: 'Europe/Berlin' });
    if (!parsed.ok) throw new Error('The schedule cannot be read.');
    for (let at = nextFireMs(parsed.value, FROM); at !== null && at < UNTIL; ) {
      fires += 1;
      at = nextFireMs(parsed.value, at);
    }
  }
  return { fires, seconds: (performance.now() - began) / 1000 };
}

let failed = false;
for (const [title, all, most] of /** @type {const} */ ([
  ['100 triggers', hundred, MOST_TIMES.hundred],
  ['1 trigger a second', everySecond, MOST_TIMES.second],
])) {
  const { fires, seconds } = await simulated(all);
  const bare = computed(all);
  const rate = Math.round(fires / seconds);
  const ratio = Math.round(seconds / fires / (bare.seconds / bare.fires));
  const megabytes = Math.round(process.memoryUsage().rss / 1e6);
  process.stdout.write(
    `${title}, ${DAYS} days: ${fires} fires in ${seconds.toFixed(1)} s, ${rate} a second, ${ratio} times the bare slots; ${megabytes} MB\n`,
  );
  if (ratio > most || megabytes > MOST_MEGABYTES) failed = true;
}
if (failed) process.stderr.write('over the budget of times the bare slots, or of memory\n');
process.exitCode = failed ? 1 : 0;
