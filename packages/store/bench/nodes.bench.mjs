// @ts-check
// How many fires and turns 1, 2 and 4 processes do in a second over one PostgreSQL, and how long one claim takes them, with
// bare pg-boss beside them: one run, one machine, ratios. Needs a build; `node bench/nodes.bench.mjs [seconds]`. Everything
// that is counted is on the disk. A fire is a slot that is claimed, and its turn that waits; to pg-boss, a job that is sent.
// A turn is taken, started, says something and ends; to pg-boss, a job that is fetched and completed.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDatabase, startPostgres } from '../test-deep/postgres.mjs';

const SECONDS = Number(process.argv[2] ?? 4);
const MEMBER = new URL('node-member.mjs', import.meta.url);
const INSTALL = fileURLToPath(
  new URL('../../../apps/server/test-deep/install-foreign.mjs', import.meta.url),
);
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @typedef {{ fires: number, turns: number, claimMs: number, claim95Ms: number }} Found */

/** @param {string} kind @param {string} url @param {number} count @param {string} boss @returns {Promise<Found>} */
async function measure(kind, url, count, boss) {
  const members = Array.from({ length: count }, (_, n) =>
    fork(MEMBER, [kind, url, String(n), String(SECONDS), boss]),
  );
  const all = async (/** @type {string} */ word) => {
    const answers = members.map((member) => once(member, 'message'));
    for (const member of members) member.send(word);
    return (await Promise.all(answers)).map(([answer]) => answer);
  };
  // One after the other: the first one makes the tables.
  for (const member of members) {
    const ready = once(member, 'message');
    member.send('open');
    await ready;
  }
  const fires = await all('fires');
  const turns = await all('turns');
  await all('close');
  const sum = (/** @type {{ rate: number }[]} */ answers) =>
    answers.reduce((total, { rate }) => total + rate, 0);
  const mean = (/** @type {'ms' | 'ms95'} */ name) =>
    fires.reduce((total, answer) => total + answer[name] / count, 0);
  return { fires: sum(fires), turns: sum(turns), claimMs: mean('ms'), claim95Ms: mean('ms95') };
}

const boss = JSON.parse(execFileSync(process.execPath, [INSTALL, 'pg-boss'], { encoding: 'utf8' }));
const server = await startPostgres({ isDurable: true });
try {
  for (const count of [1, 2, 4]) {
    /** @type {Record<string, Found>} */
    const found = {};
    for (const kind of ['svc', 'pg-boss']) {
      const database = await createDatabase(server.url);
      const one = await measure(kind, database.url, count, boss['pg-boss']);
      found[kind] = one;
      await database.drop();
      print(
        `${count} ${count === 1 ? 'process' : 'processes'}, ${kind.padEnd(7)}: ${one.fires.toFixed(0).padStart(5)} fires/s, ${one.turns.toFixed(0).padStart(5)} turns/s; one fire ${one.claimMs.toFixed(1)} ms, of 100 five take ${one.claim95Ms.toFixed(1)} ms or longer`,
      );
    }
    const { svc, 'pg-boss': peer } = found;
    if (svc === undefined || peer === undefined) continue;
    print(
      `  svc / pg-boss: fires ${(svc.fires / peer.fires).toFixed(2)}, turns ${(svc.turns / peer.turns).toFixed(2)}`,
    );
  }
} finally {
  await server.close();
}
