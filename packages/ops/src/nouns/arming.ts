import { createKeyedLine, messageOf, type TimerHandle } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug, TriggerKey } from '@svc/records';
import type { ArmRequest } from '@svc/scheduler';
import type { ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { ChangeLog } from './change-log.ts';
import { armRequestOf, definitionsOf } from './definition.ts';
import { createFileReport } from './file-report.ts';
import type { Guards } from './guards.ts';
import type { Arming } from './parts.ts';
import type { Zones } from './zones.ts';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** What is brought up to date with what is armed. */
interface ArmingParts {
  readonly zones: Zones;
  readonly guards: Guards;
}

export function createArming(
  deps: OpsDeps,
  scheduler: ReturnType<OpsDeps['createScheduler']>,
  changeLog: ChangeLog,
  beside: ArmingParts,
): Arming {
  const { zones } = beside;
  const line = createKeyedLine();
  const files = createFileReport(deps.logger);
  let stop: (() => Promise<void>) | null = null;
  const synced = new Map<Slug, Synced>();
  const sync = (project: Slug): Promise<void> =>
    line.run(project, async () => {
      const snapshot = await deps.projects.snapshot(project);
      const now = { snapshot, hostMark: zones.hostMark };
      if (saysTheSame(now, synced.get(project))) return;
      synced.delete(project);
      files.read(project, snapshot);
      await changeLog.saw(project, snapshot);
      const wanted = await wantedOf(deps, beside, project, snapshot);
      if (wanted === null) return;
      const isWhole = await arm({ deps, scheduler, changeLog }, project, wanted);
      if (isWhole) synced.set(project, now);
      deps.changes.publish({ kind: 'triggers', project, id: null });
    });
  const retries = new Map<Slug, TimerHandle>();
  // What could not be stored is tried again, ever more slowly, until it is or the project changes.
  const follow = async (project: Slug, delayMs = FIRST_RETRY_MS): Promise<void> => {
    const waiting = retries.get(project);
    if (waiting !== undefined) deps.clock.clearTimeout(waiting);
    retries.delete(project);
    try {
      await sync(project);
    } catch (error) {
      deps.logger.error({ project, error: messageOf(error) }, 'a project could not be armed');
      if (stop === null) return;
      const timer = deps.clock.setTimeout(() => {
        void follow(project, Math.min(delayMs * 2, LAST_RETRY_MS));
      }, delayMs);
      retries.set(project, timer);
    }
  };
  // What is told while a project is looked at is looked at once more, however often it is told.
  const told = new Map<Slug, boolean>();
  const hear = async (project: Slug): Promise<void> => {
    const isFollowed = told.has(project);
    told.set(project, true);
    if (isFollowed) return;
    while (told.get(project) === true) {
      told.set(project, false);
      await follow(project);
    }
    told.delete(project);
  };
  return {
    sync,
    async start() {
      // Watching begins first: an edit between reading and watching would be missed the other way round.
      stop = await deps.projects.watch((project) => void hear(project));
      const projects = [...(await deps.projects.list())];
      const lane = async (): Promise<void> => {
        for (let next = projects.shift(); next !== undefined; next = projects.shift()) {
          await follow(next);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      zones.start(() => {
        for (const project of synced.keys()) void hear(project);
      });
    },
    async close() {
      zones.close();
      await stop?.();
      stop = null;
      for (const timer of retries.values()) deps.clock.clearTimeout(timer);
      retries.clear();
    },
  };
}

interface ArmParts {
  readonly deps: OpsDeps;
  readonly scheduler: ReturnType<OpsDeps['createScheduler']>;
  readonly changeLog: ChangeLog;
}

/** Whether everything could be armed. */
async function arm(
  { deps, scheduler, changeLog }: ArmParts,
  project: Slug,
  wanted: readonly ArmRequest[],
): Promise<boolean> {
  const report = await scheduler.sync(project, wanted);
  for (const { key, reason } of report.failed) {
    deps.logger.error({ project, trigger: key.name, reason }, 'a trigger could not be armed');
  }
  const changed = report.armed + report.rearmed + report.disarmed;
  if (changed > 0) deps.logger.info({ project, ...report }, 'triggers were armed');
  await changeLog.armed(project, report.failed);
  return report.failed.length === 0;
}

/** What was armed last of a project. */
interface Synced {
  readonly snapshot: ProjectSnapshot | null;
  /** The zone of the host at that time. */
  readonly hostMark: string;
}

// The file of an edit is told of twice, by whoever made it and by the disk.
function saysTheSame(now: Synced, before: Synced | undefined): boolean {
  const [one, other] = [now.snapshot, before?.snapshot];
  if (one === null || other == null || now.hostMark !== before?.hostMark) return false;
  return one.file === other.file && one.faults === other.faults;
}

// Side by side, so that a project whose file takes long to read does not hold up the others.
const LANES = 8;

// So many are looked at before others have their turn.
const SLICE = 100;

/** What is to be armed in a project; null while nothing is known of it, so that nothing is forgotten. */
async function wantedOf(
  deps: OpsDeps,
  { zones, guards }: ArmingParts,
  project: Slug,
  snapshot: ProjectSnapshot | null,
): Promise<ArmRequest[] | null> {
  if (snapshot === null) return [];
  if (snapshot.file === null) return null;
  await endOwnerships(deps, project, snapshot.file);
  await guards.keep(project);
  const requests: ArmRequest[] = [];
  const used = new Set<string | null>();
  const { hostMark } = zones;
  for (const [n, definition] of definitionsOf(project, snapshot.file).entries()) {
    if (n % SLICE === SLICE - 1) await deps.clock.yield();
    const request = armRequestOf(definition, hostMark);
    if (!request?.ok) continue;
    requests.push(request.value);
    if (definition.when?.kind === 'cron') used.add(definition.when.timezone);
  }
  await zones.use(used);
  return requests;
}

async function endOwnerships(deps: OpsDeps, project: Slug, file: ProjectFile): Promise<void> {
  const declared = (key: TriggerKey): boolean =>
    (key.source === 'trigger' ? file.triggers : file.schedules).has(key.name) ||
    file.invalid.some((entry) => entry.source === key.source && entry.name === key.name) ||
    (key.source === 'trigger' && file.beyond.has(key.name));
  for (const key of await deps.store.triggers.owners(project)) {
    if (!declared(key)) await deps.store.triggers.forget(key);
  }
}
