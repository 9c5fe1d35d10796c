// @ts-check
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markOf, projectText, recordOf } from '../project-text.mjs';
import { Node } from './nodes.mjs';

const QUIET_MS = 90_000;

/** The clocks of all servers are that of the database, which runs on this machine. */
const ONE_CLOCK = { at: (/** @type {number} */ real) => real, wasSetBack: () => false };

/**
 * Several servers with one database and one projects folder, with everything the checker knows about what was done to them: the
 * counterpart of `Bench` for one server.
 */
export class Cluster {
  /** @param {string} folder @param {import('../plan.mjs').Wanted[]} triggers @param {{ url: string, query(text: string): Promise<object[]> }} database */
  constructor(folder, triggers, database) {
    rmSync(folder, { recursive: true, force: true });
    this.folder = folder;
    this.database = database;
    this.projectsFolder = join(folder, 'projects');
    this.agentsLog = join(folder, 'agents.log');
    mkdirSync(this.projectsFolder, { recursive: true });
    writeFileSync(this.agentsLog, '');
    chmodSync(this.agentsLog, 0o666);
    this.plan = { kind: 'edits', retention: null, triggers };
    this.clock = ONE_CLOCK;
    this.wanted = new Map(triggers.map((one) => [one.name, one]));
    /** @type {import('../bench.mjs').Edit[]} */
    this.edits = [];
    /** @type {Map<string, any>} */
    this.reported = new Map();
    /** @type {import('../bench.mjs').AskedRun[]} */
    this.asked = [];
    /** @type {{ from: number, until: number }[]} */
    this.pauses = [];
    /** Periods in which servers were restarted one after the other. @type {{ from: number, until: number }[]} */
    this.rolls = [];
    /** @type {string[]} */
    this.broken = [];
    /** @type {{ crash(): Promise<void>, start(): Promise<void> } | null} */
    this.postgres = null;
    // Together they count as one life: from the first one on at least one of them is always running.
    /** @type {{ spawnedAt: number, listeningAt: number | null, endedAt: null }[]} */
    this.lives = [];
    this.nodes = ['a', 'b', 'c'].map(
      (name, n) =>
        new Node({
          ...{ name, folder, projects: this.projectsFolder, database: database.url },
          skewMs: [0, 5000, -5000][n] ?? 0,
        }),
    );
  }

  get projects() {
    return [...new Set(this.plan.triggers.map(({ project }) => project))];
  }

  /** The nodes that answer. */
  get up() {
    return this.nodes.filter(({ server, link }) => server?.isUp === true && !link.isCut);
  }

  async start() {
    const from = Date.now();
    for (const project of this.projects) {
      mkdirSync(join(this.projectsFolder, project), { recursive: true });
      this.writeProject(project);
    }
    for (const wanted of this.wanted.values())
      this.edits.push({ wanted, isSchedule: true, from, written: Date.now(), seen: null });
    /** @type {{ spawnedAt: number, listeningAt: number | null, endedAt: null }} */
    const life = { spawnedAt: Date.now(), listeningAt: null, endedAt: null };
    this.lives.push(life);
    for (const node of this.nodes) await node.open();
    await Promise.all(this.nodes.map((node) => node.start()));
    life.listeningAt = Date.now();
    for (const edit of this.edits) edit.seen = life.listeningAt;
  }

  /** @param {string} project */
  fileOf(project) {
    return join(this.projectsFolder, project, 'project.yaml');
  }

  /** @param {string} project */
  writeProject(project) {
    const all = [...this.wanted.values()].filter((one) => one.project === project);
    const draft = join(this.folder, `${project}.yaml`);
    writeFileSync(draft, projectText(all, this.agentsLog));
    renameSync(draft, this.fileOf(project));
  }

  /** Changes a trigger through one server. @param {Node} node @param {import('../plan.mjs').Wanted} was @param {Partial<import('../plan.mjs').Wanted>} change */
  async edit(node, was, change) {
    const wanted = { ...was, ...change, version: was.version + 1 };
    const isSchedule = change.when !== undefined || change.enabled !== undefined;
    const from = Date.now();
    const path = `/api/projects/${wanted.project}/triggers/${wanted.name}`;
    const reply = await node.server?.send('PUT', path, recordOf(wanted, this.agentsLog));
    // A server that is disconnected during a write may have written.
    if (reply == null) await sleep(500);
    const stands = readFileSync(this.fileOf(wanted.project), 'utf8').includes(markOf(wanted));
    if (reply?.status === 200 && !stands)
      this.broken.push(`PUT of ${markOf(wanted)} is not in the file`);
    if (!stands) return;
    this.wanted.set(wanted.name, wanted);
    const written = Date.now();
    this.edits.push({
      wanted,
      isSchedule,
      from,
      written,
      seen: reply?.status === 200 ? written : null,
    });
  }

  /** Fires a trigger manually. @param {Node} node @param {import('../plan.mjs').Wanted} wanted */
  async fire(node, { project, name }) {
    const reply = await node.server?.send('POST', `/api/projects/${project}/triggers/${name}/run`);
    if (reply?.status === 202) this.asked.push({ project, id: reply.body.runId, trigger: name });
  }

  /** Reads the rows of one server, which must not change later. @param {Node} node */
  async look(node) {
    for (const project of this.projects) {
      const reply = await node.server?.send('GET', `/api/projects/${project}/runs?limit=50`);
      for (const run of reply?.body.runs ?? []) this.reported.set(run.id, run);
    }
  }

  /** Disables all triggers, once their slots are decided, and waits until nothing runs. Returns the time up to which all is decided. */
  async settle() {
    const cut = Date.now();
    await this.until('some slots were never decided', async () => {
      const [row] = /** @type {{ behind: string | null }[]} */ (
        await this.database.query(
          'select min(cursor) as behind from trigger_state where schedule_hash is not null',
        )
      );
      return Date.parse(row?.behind ?? '') >= cut - 8000;
    });
    await sleep(8000);
    const from = Date.now();
    for (const was of [...this.wanted.values()]) {
      const wanted = { ...was, enabled: false, version: was.version + 1 };
      this.wanted.set(was.name, wanted);
      this.edits.push({ wanted, isSchedule: true, from, written: from, seen: null });
    }
    for (const project of this.projects) this.writeProject(project);
    await this.until('some triggers stayed armed', () =>
      this.isNone('select 1 from trigger_state where schedule_hash is not null limit 1'),
    );
    for (const edit of this.edits) edit.seen ??= Date.now();
    await this.until('some runs never ended', () =>
      this.isNone("select 1 from run where state <> 'ended' limit 1"),
    );
    return cut - 8000;
  }

  /** @param {string} query */
  async isNone(query) {
    return (await this.database.query(query)).length === 0;
  }

  /** @param {string} what @param {() => Promise<boolean>} look */
  async until(what, look) {
    const late = Date.now() + QUIET_MS;
    while (!(await look())) {
      if (Date.now() > late) {
        this.broken.push(`In the end, ${what}.`);
        return;
      }
      await sleep(300);
    }
  }

  async stop() {
    const codes = await Promise.all(
      this.nodes.map(async (node) => {
        node.server?.signal('SIGTERM');
        return [node.name, await node.ended(40_000)];
      }),
    );
    for (const [name, code] of codes)
      if (code !== 0) this.broken.push(`${name} stopped with ${code}.`);
    for (const node of this.nodes) {
      if (node.server?.endedAt === null) await node.kill();
      node.close();
    }
  }
}
