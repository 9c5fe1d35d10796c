import { abridged, type Issue, type Redactor, sentencesOf } from '@svc/core';
import { type Definition, definitionHash, definitionsOf, hash } from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import type { Change, ChangeKind, Slug } from '@svc/records';
import type { KeptNote, KnownEntry, NewChange } from '@svc/store';
import type { ProjectFile } from '@svc/trigger-schema';
import { changedFields, type ShownFields, shownFields, standingOf } from './shown-fields.ts';

/** The last known state of each entry of a project, by `source/name`. */
export type KnownEntries = ReadonlyMap<string, KnownEntry>;

/** An entry of the current file, or the file itself. */
interface Entry {
  readonly source: KnownEntry['source'];
  readonly name: string;
  readonly hash: string;
  /** null for an invalid entry. */
  readonly definition: Definition | null;
  /** Why it is invalid. */
  readonly issues: readonly Issue[];
}

/** The current entries of a project; null if they are unknown. */
export function entriesIn(
  project: Slug,
  snapshot: ProjectSnapshot | null,
  known: KnownEntries,
): ReadonlyMap<string, Entry> | null {
  if (snapshot === null) return new Map();
  const { file, faults, isUnconfirmed } = snapshot;
  const entries = file === null ? [...lastOf(known)] : entriesOf(project, file);
  const faulty = isUnconfirmed ? UNCONFIRMED : hash(JSON.stringify(faults));
  const whole = faults.length === 0 ? READABLE : faulty;
  const all = [
    ...entries,
    { source: 'file', name: '', hash: whole, definition: null, issues: faults } as const,
  ];
  return new Map(all.map((entry) => [`${entry.source}/${entry.name}`, entry]));
}

const READABLE = 'readable';
const UNCONFIRMED = 'unconfirmed';

// While the file is unreadable and no valid version is known, the last known state stays.
function lastOf(known: KnownEntries): Entry[] {
  return [...known.values()]
    .filter(({ source }) => source !== 'file')
    .map(({ source, name, hash: last }) => ({
      source,
      name,
      hash: last,
      definition: null,
      issues: [],
    }));
}

const BEYOND: Issue = { path: '', message: 'exceeds the maximum number of entries in a file.' };

function entriesOf(project: Slug, file: ProjectFile): Entry[] {
  const sound = definitionsOf(project, file).map((definition) => ({
    source: definition.key.source,
    name: definition.key.name,
    hash: definitionHash(definition.record),
    definition,
    issues: [],
  }));
  const broken = file.invalid.map(({ source, name, issues }) => ({ source, name, issues }));
  const beyond = [...file.beyond].map(
    (name) => ({ source: 'trigger', name, issues: [BEYOND] }) as const,
  );
  const named = new Map(
    [...beyond, ...broken].map((entry) => [`${entry.source}/${entry.name}`, entry]),
  );
  return [
    ...sound,
    ...[...named.values()].map((entry) => {
      const entryHash = hash(
        `invalid ${JSON.stringify(entry.issues.map(({ path, message }) => [path, message]))}`,
      );
      return { ...entry, hash: entryHash, definition: null };
    }),
  ];
}

interface Looking {
  readonly project: Slug;
  readonly redactor: Pick<Redactor, 'text'>;
  readonly at: string;
  readonly writtenAt: string | null;
}

/** A difference, given the notes of who was about to make a change. */
type Difference = (notes: readonly KeptNote[]) => Seen;

/** A difference in rows; `change` is null if nothing needs to be recorded. */
interface Seen {
  readonly change: NewChange | null;
  readonly before: KnownEntry | null;
  readonly now: KnownEntry | null;
  readonly noteId: string | null;
}

/** Compares entries with their last known state. */
export function definitionChanges(
  entries: ReadonlyMap<string, Entry> | null,
  known: KnownEntries,
  looking: Looking,
): Difference[] {
  if (entries === null) return [];
  const gone = [...known].filter(([id]) => !entries.has(id)).map(([, entry]) => entry);
  const differ = [...entries].filter(([id, entry]) => known.get(id)?.hash !== entry.hash);
  return [
    ...gone.map(
      (before): Difference =>
        (notes) =>
          seenOf(before, null, looking, notes),
    ),
    ...differ.map(
      ([id, entry]): Difference =>
        (notes) =>
          seenOf(known.get(id) ?? null, entry, looking, notes),
    ),
  ];
}

function seenOf(
  before: KnownEntry | null,
  entry: Entry | null,
  looking: Looking,
  notes: readonly KeptNote[],
): Seen {
  const { project, redactor } = looking;
  const { source, name } = (entry ?? before) as Pick<Entry, 'source' | 'name'>;
  const definition = entry?.definition ?? null;
  const shown = definition === null ? null : shownFields(definition.record, redactor);
  const kind = kindOf(before, entry, shown);
  const note = source === 'file' ? null : noteFor(notes, name, entry);
  const what = {
    ...(source === 'file' ? { source: null, trigger: null } : { source, trigger: name }),
    reason: reasonOf(entry, looking),
    fields: fieldsOf(before, shown),
    standing: definition === null ? null : standingOf(definition),
  };
  const arming = { armedSince: null, anchor: null, trouble: null, ...before };
  const at = { project, source, name };
  return {
    change:
      kind === null ? null : { ...what, ...originIn(note, looking), project, kind, anchor: null },
    before,
    now: entry && { ...arming, ...at, hash: entry.hash, shown: shown && JSON.stringify(shown) },
    noteId: note?.id ?? null,
  };
}

type Origin = Pick<NewChange, 'at' | 'by' | 'via' | 'sessionId' | 'writtenAt'>;

function originIn(note: KeptNote | null, { at, writtenAt }: Looking): Origin {
  if (note === null) return { at, by: null, via: 'file', sessionId: null, writtenAt };
  const { by, via, sessionId } = note;
  return { at, by, via, sessionId, writtenAt: null };
}

function shownOf(known: KnownEntry | null): ShownFields | null {
  return known?.shown == null ? null : (JSON.parse(known.shown) as ShownFields);
}

// The fields of an entry that became invalid are recorded when it is valid again.
function fieldsOf(before: KnownEntry | null, shown: ShownFields | null): Change['fields'] {
  return shown === null ? [] : changedFields(shownOf(before), shown);
}

function kindOf(
  before: KnownEntry | null,
  entry: Entry | null,
  shown: ShownFields | null,
): ChangeKind | null {
  if (entry === null) return before?.source === 'file' ? null : 'removed';
  if (entry.source === 'file') return kindOfFile(before, entry);
  if (shown === null) return 'invalid';
  if (before === null) return 'defined';
  const last = shownOf(before);
  if (last === null) return 'fixed';
  if (last['enabled'] === shown['enabled']) return 'changed';
  return shown['enabled'] === 'true' ? 'enabled' : 'disabled';
}

function kindOfFile(before: KnownEntry | null, { hash: now }: Entry): ChangeKind | null {
  if (now === UNCONFIRMED) return 'unconfirmed';
  if (now !== READABLE) return 'unreadable';
  if (before === null) return null;
  return before.hash === UNCONFIRMED ? 'confirmed' : 'readable';
}

function noteFor(notes: readonly KeptNote[], name: string, entry: Entry | null): KeptNote | null {
  const wanted = entry?.hash ?? '';
  return notes.find((note) => note.name === name && note.hash === wanted) ?? null;
}

const LONGEST_REASON = 400;

function reasonOf(entry: Entry | null, { redactor }: Looking): string | null {
  if (entry === null || entry.issues.length === 0) return null;
  return abridged(redactor.text(sentencesOf(entry.issues, 'The entry')), LONGEST_REASON);
}
