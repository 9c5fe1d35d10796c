// @ts-check
// Disturbs three real servers with one real PostgreSQL, under load, and compares the database with what happened.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { check } from './check.mjs';
import { checkCluster } from './cluster/checks.mjs';
import { Cluster } from './cluster/cluster.mjs';
import { armingsIn, rowsIn } from './cluster/evidence.mjs';
import { planTriggers } from './cluster/triggers.mjs';
import { TROUBLES } from './cluster/troubles.mjs';
import { createRandom } from './random.mjs';

const HELP = `node apps/server/torture/cluster.mjs [options]

  --troubles A,B  apply these faults in this order: ${Object.keys(TROUBLES).join(', ')}
  --count N       apply N random faults instead
  --seed N        set the seed of the plan (default 1)
  --dir DIR       store everything in DIR (default: a new temporary folder, removed without findings)

The last line shows slots, rows, lines of agents, and findings; the exit code is 0 without findings.
`;

const { values } = parseArgs({
  options: {
    troubles: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    dir: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** @param {string} line */
const say = (line) => void process.stdout.write(`${line}\n`);
const POSTGRES = new URL('../../../packages/store/test-deep/postgres.mjs', import.meta.url).href;

/** @param {import('./random.mjs').Random} random @returns {string[]} */
function plannedTroubles(random) {
  const names = Object.keys(TROUBLES);
  if (values.count !== undefined)
    return Array.from({ length: Number(values.count) }, () => random.pick(names));
  const asked = (values.troubles ?? names.join()).split(',');
  const unknown = asked.find((name) => TROUBLES[name] === undefined);
  if (unknown === undefined) return asked;
  process.stderr.write(`cluster: --troubles takes ${names.join(', ')}, not ${unknown}.\n`);
  process.exit(2);
}

async function torture() {
  const random = createRandom(Number(values.seed));
  const troubles = plannedTroubles(random);
  const { startOwnPostgres, createDatabase } = await import(POSTGRES);
  const server = await startOwnPostgres();
  const database = await createDatabase(server.url);
  const folder = resolve(values.dir ?? mkdtempSync(join(tmpdir(), 'svc-cluster-')));
  const cluster = new Cluster(folder, planTriggers(random), database);
  cluster.postgres = server;
  say(`seed ${values.seed}, in ${folder}`);
  try {
    await cluster.start();
    const people = createPeople(cluster, random);
    for (const name of troubles) {
      const from = performance.now();
      await TROUBLES[name]?.(cluster, random);
      say(`${name}: ${Math.round((performance.now() - from) / 100) / 10} s`);
      await sleep(random.int(2, 5) * 1000);
    }
    await people.stop();
    const cut = await cluster.settle();
    const evidence = {
      rows: await rowsIn(database),
      changes: await armingsIn(database),
      whys: [],
      cut,
      removed: new Map(),
    };
    await cluster.stop();
    const result = check(/** @type {any} */ (cluster), /** @type {any} */ (evidence));
    const findings = [...result.findings, ...checkCluster(cluster, evidence.rows)];
    for (const { kind, text } of findings.slice(0, 30)) say(`  ${kind}: ${text}`);
    const ended = new Map();
    for (const { outcome } of evidence.rows) ended.set(outcome, (ended.get(outcome) ?? 0) + 1);
    say(`rows by outcome: ${JSON.stringify(Object.fromEntries(ended))}`);
    say(
      `${troubles.length} troubles, ${result.slots} slots, ${result.rows} rows, ${result.lines} lines of agents, ${cluster.asked.length} requested, ${findings.length} findings`,
    );
    writeFileSync(
      join(folder, 'findings.json'),
      JSON.stringify(
        {
          findings,
          ...evidence,
          changes: [...evidence.changes],
          edits: cluster.edits,
          rolls: cluster.rolls,
        },
        null,
        1,
      ),
    );
    if (findings.length === 0 && values.dir === undefined) rmSync(folder, { recursive: true });
    else say(`all files are in ${folder}`);
    return findings.length === 0;
  } finally {
    for (const node of cluster.nodes) {
      if (node.server !== null && node.server.endedAt === null) await node.kill();
      node.close();
    }
    await database.drop().catch(() => {});
    await server.close();
  }
}

/** A client that reads, edits and fires continuously, on any server that answers. @param {Cluster} cluster @param {import('./random.mjs').Random} random */
function createPeople(cluster, random) {
  let isOpen = true;
  const act = async () => {
    const [node] = cluster.up.length > 0 ? [random.pick(cluster.up)] : [];
    if (node === undefined) return;
    const wanted = random.pick([...cluster.wanted.values()]);
    const what = random.next();
    if (what < 0.3) await cluster.fire(node, wanted);
    else if (what < 0.5)
      await cluster.edit(node, wanted, { when: { interval: random.pick(['2s', '3s', '5s']) } });
    else if (what < 0.6) await cluster.edit(node, wanted, { workMs: random.pick([0, 300]) });
    else await cluster.look(node);
  };
  const working = (async () => {
    while (isOpen) {
      await act();
      await sleep(random.int(300, 1500));
    }
  })();
  return {
    async stop() {
      isOpen = false;
      await working;
    },
  };
}

if (values.help) process.stdout.write(HELP);
else process.exitCode = (await torture()) ? 0 : 1;
