// @ts-check
// 200 triggers with an interval of one second: CPU time per fire, compared with timers that write one durable row each.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, print, removeHome } from '../support.mjs';
import { cpuSeconds, memoryMb, serve, sleep } from './process.mjs';

const TRIGGERS = 200;
const driver = import.meta.resolve('@photostructure/sqlite');

/** A trigger with a playbook that writes a line; without `isWorking` the playbook does nothing. */
const entry = (/** @type {number} */ n) => `  t${n}:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "Note the time.\\n\\n\`\`\`write out/t${n}.txt\\nhere\\n\`\`\`\\n", tools: [Write] }
    enabled: true
`;

/** @param {boolean} isSmall */
export async function measureFires(isSmall) {
  const seconds = isSmall ? 10 : 30;
  await ours(seconds);
  await bare(seconds);
}

/** @param {number} seconds */
async function ours(seconds) {
  const home = makeHome({
    'svc.config.yaml': 'limits: { concurrentTurns: 16, concurrentTurnsPerProject: 16 }\n',
    'projects/demo/project.yaml': `name: Bench\ntriggers:\n${Array.from({ length: TRIGGERS }, (_, n) => entry(n)).join('')}`,
  });
  let ended = 0;
  /** @type {Map<string, number>} */
  const outcomes = new Map();
  const server = await serve(home, {
    onLine: ({ msg, outcome, slots = 1 }) => {
      if (msg !== 'run ended') return;
      ended += outcome === 'succeeded' ? 1 : 0;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + slots);
    },
  });
  await sleep(6000);
  ended = 0;
  outcomes.clear();
  const before = cpuSeconds(server.pid);
  await sleep(seconds * 1000);
  const used = cpuSeconds(server.pid) - before;
  report('svc', ended, used, seconds, server.pid);
  print(`    ${JSON.stringify([...outcomes])}`);
  await server.stop();
  removeHome(home);
}

/** @param {string} who @param {number} fires @param {number} used @param {number} seconds @param {number} pid */
function report(who, fires, used, seconds, pid) {
  print(
    `${TRIGGERS} triggers of 1 s, ${who}: ${fires} fires in ${seconds} s, ${((100 * used) / seconds).toFixed(0)} % of a core, ${((1000 * used) / fires).toFixed(2)} s of the processor for 1,000 fires, RSS ${memoryMb(pid).toFixed(0)} MB`,
  );
}

/** @param {number} seconds */
async function bare(seconds) {
  const home = makeHome({ 'keep.txt': '' });
  const script = join(home, 'bare.mjs');
  writeFileSync(
    script,
    `import { DatabaseSync } from ${JSON.stringify(driver)};
import { writeFile } from 'node:fs/promises';
const db = new DatabaseSync(${JSON.stringify(join(home, 'bare.db'))});
globalThis.kept = db;
db.exec('pragma journal_mode=wal; pragma synchronous=full; create table run(id integer primary key, name text, at text)');
const insert = db.prepare('insert into run(name, at) values (?, ?)');
let fires = 0;
for (let n = 0; n < ${TRIGGERS}; n += 1) setInterval(async () => {
  insert.run('t' + n, new Date().toISOString());
  await writeFile(${JSON.stringify(home)} + '/t' + n + '.txt', 'here');
  fires += 1;
}, 1000);
process.on('message', () => process.send(fires));`,
  );
  const child = fork(script);
  const pid = child.pid ?? 0;
  const count = async () => {
    child.send('count');
    return Number((await once(child, 'message'))[0]);
  };
  await sleep(3000);
  const [before, fires] = [cpuSeconds(pid), await count()];
  await sleep(seconds * 1000);
  report('bare timers', (await count()) - fires, cpuSeconds(pid) - before, seconds, pid);
  child.kill('SIGKILL');
  removeHome(home);
}
