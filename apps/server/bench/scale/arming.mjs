// @ts-check
// 100,000 triggers in 10,000 projects: first and second start, memory, idle CPU time, an edit.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, print, removeHome } from '../support.mjs';
import { cpuSeconds, memoryMb, serve, sleep } from './process.mjs';

const TRIGGERS = 10;

/** A typical trigger, due on one day of the year. @param {number} project @param {number} n */
const entry = (project, n) => `  report-${n}:
    trigger: { type: schedule, cron: "${(project + n) % 60} ${n % 24} 1 1 *" }
    run:
      prompt: Look at what has changed in area ${project} since yesterday and write it down.
      tools: [Read, Write]
    enabled: true
`;

/** @param {number} project */
const fileOf = (project) =>
  `name: Project ${project}\ntriggers:\n${Array.from({ length: TRIGGERS }, (_, n) => entry(project, n)).join('')}`;

/** @param {boolean} isSmall */
export async function measureArming(isSmall) {
  const projects = isSmall ? 500 : 10_000;
  const home = makeHome({ 'svc.config.yaml': '' });
  for (let n = 0; n < projects; n += 1) {
    mkdirSync(join(home, `projects/p${n}`), { recursive: true });
    writeFileSync(join(home, `projects/p${n}/project.yaml`), fileOf(n));
  }
  print(`${projects} projects with ${TRIGGERS} triggers each`);
  for (const which of ['first', 'second', 'third']) {
    await start(home, which, which === 'third', isSmall);
  }
  removeHome(home);
}

/** @param {string} home @param {string} which @param {boolean} isLast @param {boolean} isSmall */
async function start(home, which, isLast, isSmall) {
  /** @type {string[]} */
  const progress = [];
  const server = await serve(home, {
    onLine: ({ msg, armed, triggers }) => {
      if (/^arming/.test(msg)) progress.push(`${armed ?? ''}/${triggers ?? ''}`);
    },
  });
  const cpu = cpuSeconds(server.pid);
  print(
    `  ${which} start: armed after ${(server.startMs / 1000).toFixed(1)} s, ${cpu.toFixed(1)} s of the processor, RSS ${memoryMb(server.pid).toFixed(0)} MB (most ${memoryMb(server.pid, 'VmHWM').toFixed(0)}), lines of progress: ${progress.length}`,
  );
  await sleep(isSmall ? 5000 : 15_000);
  if (isLast) {
    await atRest(server.pid, isSmall ? 10 : 60);
    for (let n = 0; n < 5; n += 1) await edit(server.url, home, n);
    print(`  RSS at the end ${memoryMb(server.pid).toFixed(0)} MB`);
  }
  await server.stop();
}

/** @param {number} pid @param {number} seconds */
async function atRest(pid, seconds) {
  const before = cpuSeconds(pid);
  await sleep(seconds * 1000);
  const used = cpuSeconds(pid) - before;
  print(
    `  at rest: ${used.toFixed(2)} s of the processor in ${seconds} s (${((100 * used) / seconds).toFixed(2)} %), RSS ${memoryMb(pid).toFixed(0)} MB`,
  );
}

/** @param {string} url @param {string} home @param {number} n */
async function edit(url, home, n) {
  const file = join(home, `projects/p${n}/project.yaml`);
  const text = readFileSync(file, 'utf8').replace(/cron: "\d+ \d+ 1 1/, `cron: "7 7 2 ${n + 2}`);
  const from = performance.now();
  writeFileSync(file, text);
  for (;;) {
    const answer = await fetch(`${url}/api/projects/p${n}/triggers/runtime`);
    const body = JSON.stringify(await answer.json());
    if (new RegExp(`-0${n + 2}-0[12]T`).test(body)) break;
    await sleep(5);
    if (performance.now() - from > 30_000) throw new Error(`The edit was not applied: ${body}`);
  }
  print(`  an edit was armed after ${(performance.now() - from).toFixed(0)} ms`);
}
