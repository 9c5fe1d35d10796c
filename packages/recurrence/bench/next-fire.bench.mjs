// Time per next fire beside cron-parser and croner, all in this process, in turns; prints how many times slower each is.
import { nextFireMs, parseCron } from '../dist/index.js';

const peers = {};
try {
  peers.cronParser = (await import('cron-parser')).CronExpressionParser;
  peers.croner = (await import('croner')).Cron;
} catch (error) {
  process.stderr.write(`a peer could not be loaded: ${error.message}\n`);
  process.exit(1);
}

const EXPRESSIONS = ['*/5 * * * *', '0 9 * * 1-5', '0 0 * * *', '30 6 1 * *', '0 0 29 2 *'];
const ZONE = 'America/New_York';
const START = Date.UTC(2026, 0, 15, 12, 34, 56);
const ROUNDS = 5;
const MIN_MS = 60;
// Peers may not move on from where they are; steps in time keep the work the same for all.
const starts = Array.from({ length: 64 }, (_, index) => START + index * 5_400_000);

function contenders(expression) {
  const ours = parseCron(expression, { timezone: ZONE }).value;
  const parsed = peers.cronParser.parse(expression, { tz: ZONE, currentDate: new Date(START) });
  const cron = new peers.croner(expression, { timezone: ZONE, paused: true });
  return {
    recurrence: (at) => nextFireMs(ours, at),
    'cron-parser, parsed once': (at) => {
      parsed.reset(new Date(at));
      return parsed.next().getTime();
    },
    'cron-parser, parsed each time': (at) =>
      peers.cronParser
        .parse(expression, { tz: ZONE, currentDate: new Date(at) })
        .next()
        .getTime(),
    croner: (at) => cron.nextRun(new Date(at)).getTime(),
  };
}

function microseconds(run) {
  let calls = 0;
  const begin = performance.now();
  let spent = 0;
  while (spent < MIN_MS) {
    for (const at of starts) run(at);
    calls += starts.length;
    spent = performance.now() - begin;
  }
  return (spent * 1000) / calls;
}

let failed = false;
for (const expression of EXPRESSIONS) {
  const runs = contenders(expression);
  const best = Object.fromEntries(
    Object.keys(runs).map((name) => [name, Number.POSITIVE_INFINITY]),
  );
  for (const at of starts) {
    const answers = new Set(Object.values(runs).map((run) => run(at)));
    if (answers.size !== 1) failed = true;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      best[name] = Math.min(best[name], microseconds(run));
    }
  }
  const own = best.recurrence;
  const ratios = Object.entries(best)
    .filter(([name]) => name !== 'recurrence')
    .map(([name, time]) => `${name} ${(time / own).toFixed(0)}x (${time.toFixed(1)} us)`);
  process.stdout.write(`${expression.padEnd(13)} ${own.toFixed(2)} us; ${ratios.join('; ')}\n`);
}
if (failed) {
  process.stderr.write('the contenders did not all give the same answers\n');
  process.exit(1);
}
