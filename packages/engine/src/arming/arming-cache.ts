import { createKeyedMutex, type KeyedMutex } from '@svc/core';
import { type ProjectSnapshot, promptWarning } from '@svc/projects';
import { type SlotCursor, type Slug, type Source, type TriggerId, triggerId } from '@svc/records';
import type { ArmRequest, Scheduler } from '@svc/scheduler';
import type { CachedArming } from '@svc/store';
import { cronOf, type Definition, definitionsOf, hash, type When } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';
import type { FileLine } from './file-report.ts';
import type { Zones } from './zones.ts';

/** A project that was armed completely. */
interface ArmedProject {
  readonly snapshot: ProjectSnapshot;
  /** State of its file on disk before it was read. */
  readonly mark: string | null;
  readonly requests: readonly ArmRequest[];
  /** Log lines about its file. */
  readonly lines: readonly FileLine[];
}

/** Caches what was armed from each file across restarts, so that a start need not read unchanged files. */
export interface ArmingCache {
  /** Call it once everything that follows from a file is stored. It is saved soon; only the newest one is. */
  keep(armed: ArmedProject): void;
  forget(project: Slug): void;
  /** Arms the projects whose files are unchanged, in order; returns those that must be read. */
  arm(projects: readonly Slug[], inTurn: KeyedMutex['run']): Promise<readonly Slug[]>;
  /** Resolves when everything is saved. */
  close(): Promise<void>;
}

type Request = Omit<ArmRequest, 'schedule' | 'key'>;

/**
 * The stored form. The folder and the prompt files are checked again, because the text does not determine whether they
 * exist.
 */
interface Body {
  readonly folder: string;
  readonly triggers: readonly (readonly [Source, string, When, Request])[];
  readonly prompts: readonly (readonly [Source, string])[];
  readonly lines: readonly FileLine[];
}

type Cursors = ReadonlyMap<TriggerId, SlotCursor>;

const NONE: Cursors = new Map();

interface MemoryDeps extends Pick<EngineDeps, 'store' | 'projects' | 'clock' | 'logger' | 'maker'> {
  readonly scheduler: Pick<Scheduler, 'sync'>;
  readonly zones: Pick<Zones, 'hostMark' | 'use'>;
  /** Whether another server owned a project until now that was not armed here before. */
  readonly takesOver: () => boolean;
}

/** @param onArmed called for each project armed from the cache, with the hash of its text and its log lines */
export function createArmingCache(
  deps: MemoryDeps,
  onArmed: (project: Slug, textHash: string, lines: readonly FileLine[]) => void,
): ArmingCache {
  const { store, projects, clock, logger, scheduler, zones } = deps;
  if (deps.maker === undefined) return FORGETFUL;
  // In another time zone of the host, the same text means other instants.
  const maker = (): string => `${deps.maker} ${zones.hostMark}`;
  const isUnchanged = async (project: Slug, { mark, ...kept }: CachedArming): Promise<boolean> => {
    const now = projects.mark(project);
    if (now !== null && now === mark) return true;
    const text = await projects.text(project);
    if (text === null || hash(text) !== kept.textHash) return false;
    if (now !== null) await store.armingCache.save(maker(), project, { ...kept, mark: now });
    return true;
  };
  const armOne = async (project: Slug, kept: CachedArming, stored: Cursors): Promise<boolean> => {
    if (!(await isUnchanged(project, kept))) return false;
    const body = JSON.parse(kept.body) as Body;
    const requests = requestsOf(project, body);
    if (requests === null || !isStored(requests, stored, clock.now())) return false;
    if (hasPromptFault(body)) return false;
    const isTakenOver = deps.takesOver();
    const report = await scheduler.sync(project, requests, { stored, isTakenOver });
    if (report.failed.length > 0) return false;
    await zones.use(zonesOf(body));
    onArmed(project, kept.textHash, body.lines);
    return true;
  };
  const line = createKeyedMutex();
  const newest = new Map<Slug, Save>();
  // Not awaited: until it is saved there is no entry, since recorded changes remove it, and a start reads the file.
  const saveSoon = (project: Slug, save: Save): void => {
    newest.set(project, save);
    void line.run(project, async () => {
      if (newest.get(project) !== save) return;
      await save().catch((error: unknown) => {
        logger.debug({ project, error: String(error) }, 'cannot cache armed triggers');
      });
      if (newest.get(project) === save) newest.delete(project);
    });
  };
  return {
    keep({ snapshot, mark, requests, lines }) {
      const { slug, text, faults } = snapshot;
      saveSoon(slug, async () => {
        const body = bodyOf(snapshot, requests, lines);
        const isWhole = text !== null && faults.length === 0 && body !== null;
        if (!isWhole) await store.armingCache.forget(slug);
        else await store.armingCache.save(maker(), slug, { textHash: hash(text), mark, body });
      });
    },
    forget: (project) => saveSoon(project, () => store.armingCache.forget(project)),
    close: () => line.idle(),
    async arm(wanted, inTurn) {
      const left: Slug[] = [];
      const kept = await store.armingCache.load(maker(), wanted);
      const stored = await store.claims.loadProjects([...kept.keys()]);
      const noted = await store.changes.noted();
      for (const project of wanted) {
        const known = noted.has(project) ? undefined : kept.get(project);
        const cursors = stored.get(project) ?? NONE;
        const isArmed =
          known !== undefined &&
          (await inTurn(project, () => armOne(project, known, cursors)).catch(() => false));
        if (!isArmed) left.push(project);
      }
      return left;
    },
  };
}

type Save = () => Promise<void>;

const FORGETFUL: ArmingCache = {
  keep() {},
  forget() {},
  arm: async (projects) => projects,
  async close() {},
};

// null if prompt files have problems, so that each start checks them again.
function bodyOf(
  { slug, folder, file }: ProjectSnapshot,
  requests: readonly ArmRequest[],
  lines: readonly FileLine[],
): string | null {
  const definitions = file === null ? [] : definitionsOf(slug, file);
  const whens = new Map(definitions.map(({ key, when }) => [triggerId(key), when]));
  const prompts = definitions.flatMap(promptsOf);
  const body: Body = {
    folder,
    triggers: requests.flatMap(({ key, schedule: _schedule, ...request }) => {
      const when = whens.get(triggerId(key)) ?? null;
      return when === null ? [] : [[key.source, key.name, when, request] as const];
    }),
    prompts,
    lines,
  };
  return hasPromptFault(body) ? null : JSON.stringify(body);
}

function promptsOf({ key, prompt }: Definition): (readonly [Source, string])[] {
  return prompt === null || 'inline' in prompt ? [] : [[key.source, prompt.file]];
}

function hasPromptFault({ folder, prompts }: Pick<Body, 'folder' | 'prompts'>): boolean {
  return prompts.some(([source, file]) => promptWarning({ folder, source, file }) !== null);
}

function requestsOf(project: Slug, { triggers }: Body): ArmRequest[] | null {
  const requests: ArmRequest[] = [];
  for (const [source, name, when, request] of triggers) {
    const schedule = scheduleOf(when);
    if (schedule === null) return null;
    requests.push({ ...request, key: { project, source, name }, schedule });
  }
  return requests;
}

function zonesOf({ triggers }: Body): (string | null)[] {
  return triggers.flatMap(([, , when]) => (when.kind === 'cron' ? [when.timezone] : []));
}

function scheduleOf(when: When): ArmRequest['schedule'] | null {
  if (when.kind === 'interval') return { kind: 'interval', text: when.interval };
  const parsed = cronOf(when);
  return parsed.ok ? { kind: 'cron', recurrence: parsed.value } : null;
}

// Any other stored state, or cursors written while the clock was wrong, is handled trigger by trigger.
function isStored(requests: readonly ArmRequest[], stored: Cursors, now: number): boolean {
  if (requests.length !== stored.size) return false;
  return requests.every(({ key, scheduleHash }) => {
    const cursor = stored.get(triggerId(key));
    return cursor?.scheduleHash === scheduleHash && cursor.cursor <= now;
  });
}
