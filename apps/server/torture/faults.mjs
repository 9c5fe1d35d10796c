// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';

/** @typedef {import('./bench.mjs').Bench} Bench */

/** Suspends the server like a machine, and resumes it. @param {Bench} bench */
export async function suspend({ server, plan }) {
  if (server === null || !server.isUp) return;
  server.signal('SIGSTOP');
  await sleep(plan.random.int(50, 1500));
  server.signal('SIGCONT');
}

/** As on a full disk: for a while the server cannot write files. @param {Bench} bench */
export async function fillDisk({ server, plan }) {
  if (server === null || !server.isUp) return;
  limitFiles(server, '0');
  await sleep(plan.random.int(20, 1200));
  limitFiles(server, 'unlimited');
}

/** @param {import('./server-process.mjs').ServerProcess} server @param {string} size */
function limitFiles(server, size) {
  try {
    execFileSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${size}:`], {
      stdio: 'ignore',
    });
  } catch {
    // It has been killed.
  }
}

/** Kills the newest agent that works. Returns whether there was one. @param {import('./bench.mjs').Bench} bench */
export function killAgent({ agentsLog }) {
  const lines = readFileSync(agentsLog, 'utf8').trim().split('\n');
  const ended = new Set(
    lines.filter((line) => line.startsWith('end ')).map((line) => line.split(' ')[1]),
  );
  for (const line of lines.reverse()) {
    const [kind, run, turn = '', , , , pid] = line.split(' ');
    if (kind !== 'begin' || ended.has(run) || turn === '') continue;
    try {
      // The pid may belong to another process by now.
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SVC_TURN_ID=${turn}`)) continue;
      process.kill(Number(pid), 'SIGKILL');
      return true;
    } catch {
      // It has ended.
    }
  }
  return false;
}

/** Starts a server while another process has its database locked: it must refuse, and change nothing. @param {Bench} bench */
export async function startLocked(bench) {
  const file = join(bench.home, 'data', 'svc.db');
  if (!existsSync(file)) return;
  const db = new DatabaseSync(file);
  try {
    db.exec('begin exclusive');
    const server = bench.start();
    if (await server.listening) {
      bench.broken.push('It started although another process had its database locked.');
      await bench.kill(server);
    }
    await server.exit;
    db.exec('rollback');
  } finally {
    db.close();
  }
}
