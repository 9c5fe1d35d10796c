// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { LIBRARY } from '../machine-clock.mjs';
import { ServerProcess } from '../server-process.mjs';
import { DatabaseLink } from './database-link.mjs';

const NO_WATCH = new URL('no-watch.mjs', import.meta.url).href;
const UP_MS = 60_000;

/** One of the servers, with its home, and its link to the database. */
export class Node {
  /** @param {{ name: string, folder: string, projects: string, database: string, skewMs: number }} place */
  constructor({ name, folder, projects, database, skewMs }) {
    this.name = name;
    this.projects = projects;
    this.home = join(folder, name);
    this.log = join(folder, `${name}.log`);
    this.link = new DatabaseLink(database);
    this.skewMs = LIBRARY === null ? 0 : skewMs;
    /** @type {ServerProcess | null} */
    this.server = null;
    /** @type {string | null} */
    this.url = null;
    mkdirSync(this.home, { recursive: true });
    writeFileSync(this.log, '');
    writeFileSync(
      join(this.home, 'svc.config.yaml'),
      stringify({
        // Agents write what they did to a file outside of their project.
        agents: { sandbox: { mode: 'off' } },
        limits: { minInterval: '1s', concurrentTurns: 4, concurrentTurnsPerProject: 3 },
      }),
    );
  }

  async open() {
    this.url = await this.link.open();
  }

  /** Starts it, and waits until it listens. */
  async start() {
    const clock = { env: this.clockEnv(), offset: this.skewMs };
    const env = {
      SVC_DATABASE_URL: this.url ?? '',
      SVC_PROJECTS_DIR: this.projects,
      NODE_OPTIONS: `--import ${NO_WATCH}`,
    };
    const server = new ServerProcess({ home: this.home, log: this.log, clock, plant: null, env });
    this.server = server;
    const isUp = await Promise.race([server.listening, sleep(UP_MS).then(() => false)]);
    if (!isUp) throw new Error(`The server ${this.name} did not start: ${server.stderr}`);
  }

  clockEnv() {
    if (this.skewMs === 0 || LIBRARY === null) return {};
    const offset = `${this.skewMs > 0 ? '+' : '-'}${Math.abs(this.skewMs) / 1000}s`;
    return { LD_PRELOAD: LIBRARY, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  }

  /** Waits for its end, at most this long. @param {number} ms */
  async ended(ms) {
    return Promise.race([this.server?.exit, sleep(ms).then(() => 'alive')]);
  }

  async kill() {
    await this.server?.kill();
  }

  close() {
    this.link.close();
  }
}
