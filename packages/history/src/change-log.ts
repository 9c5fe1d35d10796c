import { isoTime, type Redactor } from '@svc/core';
import {
  type Caller,
  type ChangeOrigin,
  type ChangeRecorder,
  type EngineDeps,
  type Members,
  originOf,
} from '@svc/engine';
import { type Slug, type TriggerKey, triggerId } from '@svc/records';
import type { KnownEntry, NewChange, Seen } from '@svc/store';
import { armingChanges } from './arming-changes.ts';
import { definitionChanges, entriesIn } from './definition-changes.ts';

/** Records changes of triggers with author and origin. */
export interface ChangeLog extends ChangeRecorder {
  /**
   * Stores that a caller is about to give a trigger the definition with this hash, or, with null, to remove it; durable
   * when it resolves. Returns how to delete the note after the change was observed or failed.
   */
  announce(
    caller: Caller,
    trigger: NamedTrigger,
    hash: string | null,
  ): Promise<() => Promise<void>>;
  /** Records that a caller restarted the grid of an interval, so that it continues although its clock was set back. */
  recordResume(key: TriggerKey, origin: ChangeOrigin): Promise<void>;
}

type NamedTrigger = Pick<TriggerKey, 'project' | 'name'>;

export function createChangeLog(
  { store, projects, clock }: Pick<EngineDeps, 'store' | 'projects' | 'clock'>,
  redactor: Pick<Redactor, 'text'>,
  { isShared }: Pick<Members, 'isShared'>,
): ChangeLog {
  const { changes } = store;
  const { knownOf, record } = createKnown(changes, isShared);
  const looked = new Set<Slug>();
  return {
    async announce(caller, { project, name }, hash) {
      const note = { project, name, hash: hash ?? '', ...originOf(caller) };
      const id = await changes.note({ ...note, by: redactor.text(note.by) });
      return () => changes.dropNote(id);
    },
    async recordDefinitions(project, snapshot) {
      const before = await knownOf(project);
      const entries = entriesIn(project, snapshot, before);
      const differ = definitionChanges(entries, before, {
        project,
        redactor,
        at: isoTime(clock.now()),
        writtenAt: isoOrNull(projects.writtenAt(project)),
      });
      if (differ.length > 0) {
        const notes = await changes.notes(project);
        const seen = differ.map((each) => each(notes));
        const isThere = seen.flatMap(({ now }) => now ?? []);
        const gone = seen.flatMap(({ now, before: last }) => (now === null && last ? last : []));
        await record(project, {
          changes: seen.flatMap(({ change }) => change ?? []),
          known: isThere,
          gone,
          notes: [...new Set(seen.flatMap(({ noteId }) => noteId ?? []))],
        });
      }
      // Changes that an earlier process made to the file have been observed by now.
      if (!looked.has(project)) await changes.dropLeftNotes(project);
      looked.add(project);
    },
    async recordResume(key, origin) {
      const entry = (await knownOf(key.project)).get(nameOf(key));
      const cursor = (await store.claims.loadProject(key.project)).get(triggerId(key));
      if (entry === undefined || cursor === undefined) return;
      const since = { armedSince: isoTime(cursor.armedSince), anchor: isoTime(cursor.anchor) };
      const by = redactor.text(origin.by);
      const at = isoTime(clock.now());
      const change = resumeChange(key, { ...origin, by }, { at, anchor: since.anchor });
      await record(key.project, { changes: [change], known: [{ ...entry, ...since }], gone: [] });
    },
    async recordArming(project, failed) {
      const entries = await knownOf(project);
      const cursors = await store.claims.loadProject(project);
      const at = isoTime(clock.now());
      const differ = armingChanges({ project, at }, entries, cursors, failed);
      await record(project, {
        changes: differ.map(({ change }) => change),
        known: differ.map(({ now }) => now),
        gone: [],
      });
    },
  };
}

// The most recently used projects are cached; the store knows the others.
const MOST_KNOWN = 5000;

/** The last known state of each entry, cached from the store. */
function createKnown(changes: EngineDeps['store']['changes'], isShared: boolean) {
  const known = new Map<Slug, Map<string, KnownEntry>>();
  const makeRoom = (kept: Slug): void => {
    let count = 0;
    for (const { size } of known.values()) count += size;
    for (const [slug, { size }] of known) {
      if (count <= MOST_KNOWN || slug === kept) break;
      known.delete(slug);
      count -= size;
    }
  };
  const knownOf = async (project: Slug): Promise<Map<string, KnownEntry>> => {
    const remembered = known.get(project);
    if (remembered !== undefined) return remembered;
    const entries = byName(await changes.known(project));
    // Another server may record changes too.
    if (isShared) return entries;
    known.set(project, entries);
    makeRoom(project);
    return entries;
  };
  const record = async (project: Slug, seen: Seen): Promise<void> => {
    await changes.record(seen);
    const entries = await knownOf(project);
    for (const entry of seen.gone) entries.delete(nameOf(entry));
    for (const entry of seen.known) entries.set(nameOf(entry), entry);
  };
  return { knownOf, record };
}

function resumeChange(
  { project, source, name: trigger }: TriggerKey,
  origin: ChangeOrigin,
  { at, anchor }: { readonly at: string; readonly anchor: string },
): NewChange {
  const rest = { writtenAt: null, fields: [], standing: null };
  const reason = 'It was resumed after the clock was set back; its intervals count from now.';
  return { ...origin, ...rest, at, project, source, trigger, kind: 'armed', reason, anchor };
}

function nameOf({ source, name }: Pick<KnownEntry, 'source' | 'name'>): string {
  return `${source}/${name}`;
}

function byName(entries: readonly KnownEntry[]): Map<string, KnownEntry> {
  return new Map(entries.map((entry) => [nameOf(entry), entry]));
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(Math.floor(at));
}
