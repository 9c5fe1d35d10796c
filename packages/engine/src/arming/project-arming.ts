import { createKeyedMutex, createSemaphore, type KeyedMutex } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug, TriggerKey } from '@svc/records';
import type { ArmRequest } from '@svc/scheduler';
import type { ProjectFile } from '@svc/trigger-schema';
import type { Members } from '../cluster/members.ts';
import { armRequestOf, definitionsOf, hash } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';
import type { Guards } from '../firing/guards.ts';
import { type ArmingCache, createArmingCache } from './arming-cache.ts';
import { createFileReport } from './file-report.ts';
import type { PromptRemarks } from './prompt-remarks.ts';
import type { Zones } from './zones.ts';

/** Records changes of triggers as they are observed. */
export interface ChangeRecorder {
  /** Records differences between a project and its last known state. */
  recordDefinitions(project: Slug, snapshot: ProjectSnapshot | null): Promise<void>;
  /** Records differences in what is armed; `failed` lists what is not armed, and why. */
  recordArming(
    project: Slug,
    failed: readonly { readonly key: TriggerKey; readonly reason: string }[],
  ): Promise<void>;
}

/** Dependencies of arming. */
export interface ArmingParts {
  readonly scheduler: ReturnType<EngineDeps['createScheduler']>;
  readonly changeLog: ChangeRecorder;
  readonly zones: Zones;
  readonly guards: Guards;
  readonly members: Members;
  readonly remarks: PromptRemarks;
}

/** Arms projects in this process, one update per project at a time. */
export interface ProjectArming {
  readonly inTurn: KeyedMutex['run'];
  readonly cache: ArmingCache;
  /** Projects armed in this process. */
  readonly here: ReadonlySet<Slug>;
  /** Number of invalid entries in the files of these projects; a file that cannot be read counts as one. */
  readonly invalid: number;
  /** Updates a project if this server owns it; otherwise its owner does. */
  sync(project: Slug): Promise<void>;
  /** Updates a project whichever server owns it, and runs work while it is armed here. */
  during<T>(project: Slug, work: () => Promise<T>): Promise<T>;
  /** Forces the next update even if the file is unchanged. */
  forget(project: Slug): void;
}

const MOST_LOCKED = 4;

/** @param takesOver whether other servers owned projects until now that this process had not armed */
export function createProjectArming(
  deps: EngineDeps,
  parts: ArmingParts,
  takesOver: () => boolean,
): ProjectArming {
  const { scheduler, zones, members, changeLog } = parts;
  const { run: inTurn } = createKeyedMutex();
  const excluding = createExclusion(deps, members);
  const files = createFileReport(deps.logger, parts.remarks);
  const synced = new Map<Slug, string>();
  const here = new Set<Slug>();
  const cache = createArmingCache(
    { ...deps, zones, scheduler, takesOver },
    (project, textHash, lines) => {
      files.known(project, textHash, lines);
      synced.set(project, `${textHash} ${zones.hostMark}`);
      here.add(project);
    },
  );
  const disarm = async (project: Slug): Promise<void> => {
    synced.delete(project);
    here.delete(project);
    files.forget(project);
    await scheduler.release(project);
  };
  const rearm = async (project: Slug): Promise<void> => {
    const mark = deps.projects.mark(project);
    const snapshot = await deps.projects.snapshot(project);
    const state = snapshot === null ? null : stateOf(snapshot, zones);
    // An edit is reported twice: by its author and by the watcher.
    if (state !== null && state === synced.get(project)) return;
    synced.delete(project);
    const lines = files.read(project, snapshot);
    await changeLog.recordDefinitions(project, snapshot);
    const requests = await wantedOf(deps, parts, project, snapshot);
    if (requests === null) return;
    const isWhole = await arm(deps, parts, project, requests, takesOver());
    if (snapshot === null) here.delete(project);
    else here.add(project);
    if (snapshot !== null && state !== null && isWhole) {
      synced.set(project, state);
      cache.keep({ snapshot, mark, requests, lines });
    } else cache.forget(project);
    deps.changes.publish({ kind: 'triggers', project, id: null });
  };
  const isUpToDate = async (project: Slug): Promise<boolean> => {
    const snapshot = await deps.projects.snapshot(project);
    return snapshot !== null && stateOf(snapshot, zones) === synced.get(project);
  };
  return {
    inTurn,
    cache,
    here,
    get invalid() {
      return files.invalid;
    },
    sync: (project) =>
      inTurn(project, async () => {
        if (!members.has(project)) await disarm(project);
        // Checking first is cheaper than excluding other servers.
        else if (!members.isShared || !(await isUpToDate(project)))
          await excluding(project, () => rearm(project));
      }),
    during: (project, work) =>
      inTurn(project, async () => {
        try {
          return await excluding(project, async () => {
            await rearm(project);
            return await work();
          });
        } finally {
          if (!members.has(project)) await disarm(project);
        }
      }),
    forget: (project) => void synced.delete(project),
  };
}

// One server at a time, so that both store the same; and few at once here, so that firing can get a lock too.
function createExclusion({ store: { locks } }: EngineDeps, { isShared }: Members) {
  const gate = isShared ? createSemaphore(MOST_LOCKED) : null;
  return async <T>(project: Slug, work: () => Promise<T>): Promise<T> => {
    await gate?.acquire();
    try {
      const lock = await locks.take(`arming ${project}`);
      try {
        return await work();
      } finally {
        await lock.release();
      }
    } finally {
      gate?.release();
    }
  };
}

/** Returns whether everything was armed. */
async function arm(
  deps: EngineDeps,
  { scheduler, changeLog }: Pick<ArmingParts, 'scheduler' | 'changeLog'>,
  project: Slug,
  wanted: readonly ArmRequest[],
  isTakenOver: boolean,
): Promise<boolean> {
  const report = await scheduler.sync(project, wanted, { isTakenOver });
  for (const { key, reason } of report.failed) {
    deps.logger.error({ project, trigger: key.name, reason }, 'cannot arm trigger');
  }
  const changed = report.armed + report.rearmed + report.disarmed;
  if (changed > 0) deps.logger.info({ project, ...report }, 'triggers armed');
  await changeLog.recordArming(project, report.failed);
  return report.failed.length === 0;
}

// The armed state of a project depends on its text, or the last valid one and its faults, and on the time zone.
function stateOf({ text, faults }: ProjectSnapshot, { hostMark }: Zones): string {
  const why = faults.length === 0 ? '' : hash(JSON.stringify(faults));
  return `${text === null ? '' : hash(text)}${why} ${hostMark}`;
}

// Number of entries to process before other work gets a turn.
const SLICE = 100;

/** What should be armed in a project; null if it is unknown, so that nothing is disarmed. */
async function wantedOf(
  deps: EngineDeps,
  { zones, guards }: Pick<ArmingParts, 'zones' | 'guards'>,
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

async function endOwnerships(deps: EngineDeps, project: Slug, file: ProjectFile): Promise<void> {
  const declared = (key: TriggerKey): boolean =>
    (key.source === 'trigger' ? file.triggers : file.schedules).has(key.name) ||
    file.invalid.some((entry) => entry.source === key.source && entry.name === key.name) ||
    (key.source === 'trigger' && file.beyond.has(key.name));
  for (const key of await deps.store.triggers.owners(project)) {
    if (!declared(key)) await deps.store.triggers.forget(key);
  }
}
