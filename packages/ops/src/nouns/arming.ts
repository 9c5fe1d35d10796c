import { createKeyedLine } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug, TriggerKey } from '@svc/records';
import type { ArmRequest } from '@svc/scheduler';
import type { ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import { createArmingStart } from './arming-start.ts';
import type { ChangeLog } from './change-log.ts';
import { armRequestOf, definitionsOf, hash } from './definition.ts';
import { createFileReport } from './file-report.ts';
import { createFollowing } from './following.ts';
import type { Guards } from './guards.ts';
import { createArmingMemory } from './kept-arming.ts';
import type { Members } from './members.ts';
import type { Arming } from './parts.ts';
import { createShares } from './shares.ts';
import type { Zones } from './zones.ts';

/** What is brought up to date with what is armed. */
interface ArmingParts {
  readonly zones: Zones;
  readonly guards: Guards;
  readonly members: Members;
  readonly closing: AbortSignal;
}

/** Told to the other processes when a project was armed for the one that looks after it. */
const SIGNAL = 'armed';

export function createArming(
  deps: OpsDeps,
  scheduler: ReturnType<OpsDeps['createScheduler']>,
  changeLog: ChangeLog,
  { zones, guards, members, closing }: ArmingParts,
): Arming {
  const { signals, locks } = deps.store;
  const line = createKeyedLine();
  const files = createFileReport(deps.logger);
  const stops: (() => unknown)[] = [];
  const synced = new Map<Slug, string>();
  const here = new Set<Slug>();
  let isStarted = false;
  const takesOver = (): boolean => members.isShared && (isStarted || members.hasOthers);
  const memory = createArmingMemory(
    { ...deps, zones, scheduler, takesOver },
    (project, textHash, lines) => {
      files.known(project, textHash, lines);
      synced.set(project, `${textHash} ${zones.hostMark}`);
      here.add(project);
    },
  );
  const letGo = async (project: Slug): Promise<void> => {
    synced.delete(project);
    here.delete(project);
    await scheduler.release(project);
  };
  const armAnew = async (project: Slug): Promise<void> => {
    const mark = deps.projects.mark(project);
    const snapshot = await deps.projects.snapshot(project);
    const state = snapshot === null ? null : stateOf(snapshot, zones);
    // The file of an edit is told of twice, by whoever made it and by the disk.
    if (state !== null && state === synced.get(project)) return;
    synced.delete(project);
    const lines = files.read(project, snapshot);
    await changeLog.saw(project, snapshot);
    const requests = await wantedOf(deps, { zones, guards }, project, snapshot);
    if (requests === null) return;
    const isTakenOver = !here.has(project) && takesOver();
    const isWhole = await arm({ deps, scheduler, changeLog }, project, requests, isTakenOver);
    if (snapshot === null) here.delete(project);
    else here.add(project);
    if (snapshot !== null && state !== null && isWhole) {
      synced.set(project, state);
      await memory.keep({ snapshot, mark, requests, lines });
    } else await memory.forget(project);
    deps.changes.publish({ kind: 'triggers', project, id: null });
  };
  // One process at a time, so that what two of them store is the same.
  const excluding = async <T>(project: Slug, work: () => Promise<T>): Promise<T> => {
    const lock = await locks.take(`arming ${project}`);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  };
  const isUpToDate = async (project: Slug): Promise<boolean> => {
    const snapshot = await deps.projects.snapshot(project);
    return snapshot !== null && stateOf(snapshot, zones) === synced.get(project);
  };
  const sync = (project: Slug): Promise<void> =>
    line.run(project, async () => {
      if (!members.has(project)) await letGo(project);
      // Looking costs less than keeping the others out.
      else if (!members.isShared || !(await isUpToDate(project)))
        await excluding(project, () => armAnew(project));
    });
  const during = <T>(project: Slug, work: () => Promise<T>): Promise<T> =>
    line.run(project, async () => {
      try {
        return await excluding(project, async () => {
          await armAnew(project);
          return await work();
        });
      } finally {
        if (!members.has(project)) {
          await letGo(project);
          signals.send({ kind: SIGNAL, project });
        }
      }
    });
  const following = createFollowing(deps, sync);
  const { follow, hear } = following;
  const startParts = { memory, follow, inTurn: line.run, closing };
  const starting = createArmingStart(deps, scheduler, startParts);
  const hearAgain = (project: Slug): void => {
    // What is stored may be another arming of the same text.
    synced.delete(project);
    void hear(project);
  };
  const shares = createShares(deps, members, {
    ...{ here, closing, take: starting.run },
    letGo: (project) =>
      line.run(project, async () => {
        if (!members.has(project)) await letGo(project);
      }),
  });
  return {
    sync: (project) => during(project, async () => {}),
    during,
    isHere: (project) => !members.isShared || here.has(project),
    async start() {
      following.open();
      // Watching begins first: an edit between reading and watching would be missed the other way round.
      stops.push(await deps.projects.watch((project) => void hear(project)));
      stops.push(
        signals.subscribe((heard) => {
          const { project = null } = heard === 'missed' ? {} : heard;
          if (heard === 'missed') for (const each of here) void hear(each);
          else if (heard['kind'] === SIGNAL && project !== null) hearAgain(project);
        }),
      );
      await starting.run((await deps.projects.list()).filter((project) => members.has(project)));
      if (closing.aborted) return;
      isStarted = true;
      stops.push(shares.start());
      zones.start(() => {
        for (const project of synced.keys()) void hear(project);
      });
    },
    get progress() {
      return starting.progress;
    },
    async close() {
      zones.close();
      for (const stop of stops.splice(0)) await stop();
      following.close();
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
  isTakenOver: boolean,
): Promise<boolean> {
  const report = await scheduler.sync(project, wanted, { isTakenOver });
  for (const { key, reason } of report.failed) {
    deps.logger.error({ project, trigger: key.name, reason }, 'a trigger could not be armed');
  }
  const changed = report.armed + report.rearmed + report.disarmed;
  if (changed > 0) deps.logger.info({ project, ...report }, 'triggers were armed');
  await changeLog.armed(project, report.failed);
  return report.failed.length === 0;
}

// What a project comes to follows from its text, or from what was good before and why that counts, and from the zone.
function stateOf({ text, faults }: ProjectSnapshot, { hostMark }: Zones): string {
  const why = faults.length === 0 ? '' : hash(JSON.stringify(faults));
  return `${text === null ? '' : hash(text)}${why} ${hostMark}`;
}

// So many are looked at before others have their turn.
const SLICE = 100;

/** What is to be armed in a project; null while nothing is known of it, so that nothing is forgotten. */
async function wantedOf(
  deps: OpsDeps,
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

async function endOwnerships(deps: OpsDeps, project: Slug, file: ProjectFile): Promise<void> {
  const declared = (key: TriggerKey): boolean =>
    (key.source === 'trigger' ? file.triggers : file.schedules).has(key.name) ||
    file.invalid.some((entry) => entry.source === key.source && entry.name === key.name) ||
    (key.source === 'trigger' && file.beyond.has(key.name));
  for (const key of await deps.store.triggers.owners(project)) {
    if (!declared(key)) await deps.store.triggers.forget(key);
  }
}
