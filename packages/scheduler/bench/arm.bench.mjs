// Compares the time to parse and arm cron triggers, and their memory, with one setTimeout each, croner and
// node-cron. Every case runs in its own process with a fresh heap. Prints how many times more each peer takes.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSystemClock, silentLogger } from '@svc/core';
import { triggerId } from '@svc/records';
import { nextFireMs, parseCron } from '@svc/recurrence';
import { createScheduler } from '../dist/index.js';

const PER_PROJECT = 100;
const CASES = [
  ['50 expressions', 50, [1_000, 10_000, 100_000]],
  ['10k expressions', 10_000, [1_000, 10_000, 100_000]],
];
// croner takes about 80 kB per trigger: a hundred thousand exceed the default heap.
const CONTENDERS = {
  scheduler: 100_000,
  'setTimeout each': 100_000,
  croner: 10_000,
  'node-cron': 10_000,
};
const BUDGETS = [
  ['10k expressions', 10_000, 500],
  ['10k expressions', 100_000, 2000],
  ['50 expressions', 100_000, 2000],
];

function expressionsOf(distinct) {
  return Array.from({ length: distinct }, (_, index) => {
    const minute = index % 60;
    const hour = Math.floor(index / 60) % 24;
    return `${minute} ${hour} * * ${Math.floor(index / 1440) % 7}`;
  });
}

function requestsOf(count, expressions) {
  return Array.from({ length: count }, (_, index) => {
    const text = expressions[index % expressions.length];
    return {
      key: {
        project: `p${Math.floor(index / PER_PROJECT)}`,
        source: 'trigger',
        name: `trigger-${index}`,
      },
      schedule: { kind: 'cron', recurrence: parseCron(text, { timezone: 'Europe/Berlin' }).value },
      scheduleHash: text,
      definitionHash: text,
      catchUp: 'latest',
      catchUpWindowMs: null,
    };
  });
}

function claimsIn(armings) {
  return {
    ahead: async () => new Map(),
    takeBack: async () => {},
    loadProject: async (project) =>
      new Map(armings === null ? [] : [...(armings.get(project) ?? [])]),
    arm: async (batch) => {
      if (armings === null) return;
      for (const { key, cursor } of batch) {
        const project = armings.get(key.project) ?? new Map();
        armings.set(key.project, project.set(triggerId(key), cursor));
      }
    },
    disarm: async () => {},
    claim: async () => [],
  };
}

async function armAll(requests, claims) {
  const scheduler = createScheduler({
    clock: createSystemClock(),
    logger: silentLogger,
    claims,
    onFire: () => {},
  });
  for (let from = 0; from < requests.length; from += PER_PROJECT) {
    const wanted = requests.slice(from, from + PER_PROJECT);
    await scheduler.sync(wanted[0].key.project, wanted);
  }
  if (scheduler.size !== requests.length) throw new Error(`armed ${scheduler.size}`);
  return () => scheduler.close();
}

const START = {
  scheduler: (requests) => armAll(requests, claimsIn(null)),
  'setTimeout each': (requests) => {
    const timers = requests.map((request) => {
      const now = Date.now();
      const delay = Math.min(nextFireMs(request.schedule.recurrence, now) - now, 2 ** 31 - 1);
      return setTimeout(() => request.key, delay);
    });
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  },
  croner: async (requests) => {
    const { Cron } = await import('croner');
    const crons = requests.map(
      (request) => new Cron(request.scheduleHash, { timezone: 'Europe/Berlin' }, () => request.key),
    );
    return () => {
      for (const cron of crons) cron.stop();
    };
  },
  'node-cron': async (requests) => {
    const { schedule } = await import('node-cron');
    const crons = requests.map((request) =>
      schedule(request.scheduleHash, () => request.key, { timezone: 'Europe/Berlin' }),
    );
    return () => Promise.all(crons.map((cron) => cron.destroy()));
  },
};

function heap() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(name, count, distinct) {
  const expressions = expressionsOf(distinct);
  // Loads the libraries and warms up the code.
  await (await START[name](requestsOf(200, expressions)))();
  const begin = performance.now();
  const timed = requestsOf(count, expressions);
  const parsed = performance.now();
  const stop = await (name === 'scheduler'
    ? armAll(timed, claimsIn(new Map()))
    : START[name](timed));
  const armed = performance.now();
  await stop();
  const requests = requestsOf(count, expressions);
  const before = heap();
  const stopAgain = await START[name](requests);
  const bytes = (heap() - before) / count;
  await stopAgain();
  // The requests are returned to keep them alive at both readings; peers parse their own expressions while they
  // arm.
  const parseMs = name === 'scheduler' || name === 'setTimeout each' ? parsed - begin : 0;
  return { parseMs, armMs: armed - parsed, bytes, requests: requests.length };
}

function inChild(name, count, distinct) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [name, String(count), String(distinct)], {
      execArgv: ['--expose-gc', '--max-old-space-size=6000'],
    });
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} and no result`)));
  });
}

/** Whether every contender ran and the scheduler stayed within its budgets. */
async function compare(label, distinct, count) {
  const results = new Map();
  const faults = [];
  for (const [name, most] of Object.entries(CONTENDERS)) {
    if (count > most) continue;
    try {
      results.set(name, await inChild(name, count, distinct));
    } catch (error) {
      faults.push(`${name} could not run: ${error.message}`);
    }
  }
  print(`${count} triggers, ${label}`, results);
  const ours = results.get('scheduler');
  const budget = BUDGETS.find((one) => one[0] === label && one[1] === count);
  if (ours !== undefined && budget !== undefined && ours.armMs > budget[2]) {
    faults.push(`arming is over its budget of ${budget[2]} ms`);
  }
  if (ours !== undefined && count === 100_000 && ours.bytes > 200) {
    faults.push('memory is over its budget of 200 bytes each');
  }
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0;
}

async function compareAll() {
  let good = true;
  for (const [label, distinct, counts] of CASES) {
    for (const count of counts) good = (await compare(label, distinct, count)) && good;
  }
  process.exitCode = good ? 0 : 1;
}

function print(title, results) {
  process.stdout.write(`${title}\n`);
  const ours = results.get('scheduler');
  for (const [name, { parseMs, armMs, bytes }] of results) {
    const times = `${parseMs.toFixed(0).padStart(5)} ms parsing ${armMs.toFixed(0).padStart(5)} ms arming`;
    process.stdout.write(
      `  ${name.padEnd(16)} ${times} ${bytes.toFixed(0).padStart(6)} bytes each`,
    );
    if (ours === undefined || name === 'scheduler') process.stdout.write('\n');
    else {
      const time = (parseMs + armMs) / (ours.parseMs + ours.armMs);
      process.stdout.write(
        `  ${time.toFixed(1)}x time, ${(bytes / ours.bytes).toFixed(1)}x memory\n`,
      );
    }
  }
}

const [name, count, distinct] = process.argv.slice(2);
if (name === undefined) {
  await compareAll();
} else {
  process.send(await measure(name, Number(count), Number(distinct)));
  process.exit(0);
}
