// @ts-check
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { MachineClock } from './machine-clock.mjs';
import { markOf, projectText, recordOf } from './project-text.mjs';
import { ServerProcess } from './server-process.mjs';

/**
 * A change of a trigger. Times are real: before it was written, after it was written, and from when the service is known to have
 * applied it.
 *
 * @typedef {{
 *   wanted: import('./plan.mjs').Wanted, isSchedule: boolean, from: number, written: number, seen: number | null,
 * }} Edit
 *
 * @typedef {{ project: string, id: string, trigger: string }} AskedRun
 */

/** A home under torture, with everything the checker knows about what was done to it. */
export class Bench {
  /** @param {string} folder @param {import('./plan.mjs').Plan} plan @param {string | null} plant */
  constructor(folder, plan, plant) {
    rmSync(folder, { recursive: true, force: true });
    this.folder = folder;
    this.home = join(folder, 'home');
    /** The file written by the agents, next to the home. */
    this.agentsLog = join(folder, 'agents.log');
    this.serverLog = join(folder, 'server.log');
    this.plan = plan;
    this.plant = plant;
    mkdirSync(this.home, { recursive: true });
    writeFileSync(this.agentsLog, '');
    this.clock = new MachineClock(folder);
    /** @type {Map<string, import('./plan.mjs').Wanted>} */
    this.wanted = new Map(plan.triggers.map((one) => [one.name, one]));
    /** @type {Edit[]} */
    this.edits = [];
    /** @type {ServerProcess[]} */
    this.lives = [];
    /** Rows that the service reported before it was killed, as last reported. @type {Map<string, any>} */
    this.reported = new Map();
    /** @type {AskedRun[]} */
    this.asked = [];
    /** Periods of real time in which everything was certainly paused. @type {{ from: number, until: number }[]} */
    this.pauses = [];
    /** @type {number | null} */
    this.pausedAt = null;
    this.kills = 0;
    /** Findings from before the check. @type {string[]} */
    this.broken = [];
    this.prepare();
  }

  get projects() {
    return [...new Set(this.plan.triggers.map(({ project }) => project))];
  }

  /** The current server. */
  get server() {
    return this.lives.at(-1) ?? null;
  }

  prepare() {
    const { retention } = this.plan;
    const config = {
      // Agents write what they did to a file outside of their project.
      agents: { sandbox: { mode: 'off' } },
      limits: { minInterval: '1s', concurrentTurns: 6, concurrentTurnsPerProject: 4 },
      ...(retention === null ? {} : { retention: { runs: retention, age: null } }),
    };
    writeFileSync(join(this.home, 'svc.config.yaml'), stringify(config));
    const from = Date.now();
    for (const project of this.projects) {
      mkdirSync(join(this.home, 'projects', project), { recursive: true });
      this.writeProject(project);
    }
    for (const wanted of this.wanted.values()) {
      this.edits.push({ wanted, isSchedule: true, from, written: Date.now(), seen: null });
    }
  }

  start() {
    const { home, serverLog: log, clock, plant } = this;
    const server = new ServerProcess({ home, log, clock, plant });
    this.lives.push(server);
    void server.listening.then((isUp) => {
      if (!isUp) return;
      // Everything in the files before the start is armed once it listens.
      for (const edit of this.edits) {
        if (edit.written <= server.spawnedAt) edit.seen ??= server.listeningAt;
      }
    });
    return server;
  }

  /** @param {ServerProcess} server */
  async kill(server) {
    if (server.endedAt === null && !server.isKilled) this.kills += 1;
    await server.kill();
  }

  /** @param {string} project */
  fileOf(project) {
    return join(this.home, 'projects', project, 'project.yaml');
  }

  /** @param {string} project */
  writeProject(project) {
    const all = [...this.wanted.values()].filter((one) => one.project === project);
    const draft = join(this.folder, `${project}.yaml`);
    writeFileSync(draft, projectText(all, this.agentsLog));
    renameSync(draft, this.fileOf(project));
  }

  /** Changes a trigger by writing its file, or through the server. @param {import('./plan.mjs').Wanted} was @param {Partial<import('./plan.mjs').Wanted>} change @param {'file' | 'rest'} way */
  async edit(was, change, way) {
    const wanted = { ...was, ...change, version: was.version + 1 };
    const isSchedule = change.when !== undefined || change.enabled !== undefined;
    const from = Date.now();
    if (way === 'file') {
      this.wanted.set(wanted.name, wanted);
      this.writeProject(wanted.project);
    } else if (await this.put(wanted)) {
      this.wanted.set(wanted.name, wanted);
    } else {
      return null;
    }
    /** @type {Edit} */
    const edit = { wanted, isSchedule, from, written: Date.now(), seen: null };
    this.edits.push(edit);
    return edit;
  }

  /** Whether a PUT was written to the file. @param {import('./plan.mjs').Wanted} wanted */
  async put(wanted) {
    const { server } = this;
    if (server === null) return false;
    const path = `/api/projects/${wanted.project}/triggers/${wanted.name}`;
    const reply = await server.send('PUT', path, recordOf(wanted, this.agentsLog));
    if (reply === null) await server.exit;
    const stands = readFileSync(this.fileOf(wanted.project), 'utf8').includes(markOf(wanted));
    if (reply?.status === 200 && !stands)
      this.broken.push(`PUT of ${markOf(wanted)} is not in the file`);
    return stands;
  }

  /** Reads the newest rows, which must not be lost once they were reported. @param {number} [limit] */
  async look(limit = 100) {
    for (const project of this.projects) {
      const reply = await this.server?.send('GET', `/api/projects/${project}/runs?limit=${limit}`);
      for (const run of reply?.body.runs ?? []) this.reported.set(run.id, run);
    }
  }
}
