import { newId } from '@svc/core';
import type { Change, ChangeWay, Slug, TriggerKey } from '@svc/records';
import type { Kysely } from 'kysely';
import { ofKey } from '../claims/trigger-columns.ts';
import { there } from '../cluster/nodes.ts';
import type { Tables } from '../database/schema.ts';
import { type ChangeRule, type PrunedChanges, pruneChanges } from './change-pruning.ts';
import { inserted, type NewChange, rowsOf, selectChanges } from './change-rows.ts';

/** A change of a definition that is about to be made, and by whom. */
export interface ChangeNote {
  readonly project: Slug;
  readonly name: string;
  /** Hash of the new definition; empty if it is removed. */
  readonly hash: string;
  readonly by: string;
  readonly via: ChangeWay;
  readonly sessionId: string | null;
}

/** A stored note. */
export type KeptNote = ChangeNote & { readonly id: string; readonly isOwn: boolean };

/** The last known state of an entry of `project.yaml`, or, without a source, of the whole file. */
export interface KnownEntry {
  readonly project: Slug;
  readonly source: TriggerKey['source'] | 'file';
  readonly name: string;
  readonly hash: string;
  /** JSON of the fields that may be shown; null if the entry is invalid. */
  readonly shown: string | null;
  /** UTC ISO text; null if it is not armed. */
  readonly armedSince: string | null;
  readonly anchor: string | null;
  /** Why it is not armed although it should be. */
  readonly trouble: string | null;
}

/** Observations of a project that are stored together. */
export interface Seen {
  readonly changes: readonly NewChange[];
  readonly known: readonly KnownEntry[];
  readonly gone: readonly KnownEntry[];
  /** Ids of notes whose changes were observed. Default: none. */
  readonly notes?: readonly string[];
}

/** The change log of triggers. */
export interface Changes {
  /** Stores durably who is about to change a trigger. Returns the id of the note. */
  note(note: ChangeNote): Promise<string>;
  dropNote(id: string): Promise<void>;
  /** Deletes notes that other processes left behind. */
  dropLeftNotes(project: Slug): Promise<void>;
  /** The notes of a project, oldest first. */
  notes(project: Slug): Promise<readonly KeptNote[]>;
  /** The projects that have notes. */
  noted(): Promise<ReadonlySet<Slug>>;
  known(project: Slug): Promise<readonly KnownEntry[]>;
  /**
   * Stores changes in order, together with the new known state, in one transaction. What was cached of the arming of
   * their projects is removed, because it follows from an earlier state.
   */
  record(seen: Seen): Promise<void>;
  /** Every change that affects a trigger, in the order written: its own, those of its file, and those of all triggers. */
  of(key: TriggerKey): Promise<readonly Change[]>;
  /** Its own changes and those of its file, newest first; pass `next` as `cursor`. */
  page(
    key: TriggerKey,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{ readonly changes: readonly Change[]; readonly next: string | null }>;
  /** The instant (milliseconds) before which changes of a trigger were removed; null if none were. */
  keptFrom(key: TriggerKey): Promise<number | null>;
  /** Removes changes that the rule does not keep, examining up to `limit` after a position, in one transaction. */
  prune(
    rule: ChangeRule,
    step: { readonly after: number; readonly limit: number },
  ): Promise<PrunedChanges>;
}

export function createChanges(db: Kysely<Tables>, nodeId: string): Changes {
  return {
    async note({ sessionId, ...note }) {
      const id = newId();
      const row = { ...note, id, node: nodeId, session_id: sessionId };
      await db.insertInto('change_note').values(row).execute();
      return id;
    },
    async dropNote(id) {
      await db.deleteFrom('change_note').where('id', '=', id).execute();
    },
    async dropLeftNotes(project) {
      await db
        .deleteFrom('change_note')
        .where('project', '=', project)
        .where('node', '<>', nodeId)
        .where('node', 'not in', there(db))
        .execute();
    },
    async notes(project) {
      const query = db.selectFrom('change_note').selectAll().where('project', '=', project);
      return (await query.orderBy('id').execute()).map(
        ({ session_id: sessionId, node, via, ...note }) => ({
          ...note,
          via: via as ChangeWay,
          sessionId,
          isOwn: node === nodeId,
        }),
      );
    },
    async noted() {
      const rows = await db.selectFrom('change_note').select('project').distinct().execute();
      return new Set(rows.map(({ project }) => project));
    },
    async known(project) {
      const query = db.selectFrom('trigger_known').selectAll().where('project', '=', project);
      return (await query.execute()).map(({ armed_since: armedSince, source, ...rest }) => ({
        ...rest,
        source: source as KnownEntry['source'],
        armedSince,
      }));
    },
    record: (seen) => recordSeen(db, seen),
    async of(key) {
      return rowsOf(await selectChanges(db, key, true).orderBy('seq').execute());
    },
    async page(key, { limit, cursor }) {
      const after = cursor === undefined ? null : await seqOf(db, cursor);
      const rows = await selectChanges(db, key, false)
        .$if(after !== null, (query) => query.where('seq', '<', after ?? 0))
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      const changes = rowsOf(rows.slice(0, limit));
      return { changes, next: rows.length > limit ? (changes.at(-1)?.id ?? null) : null };
    },
    async keptFrom(key) {
      const query = ofKey(db.selectFrom('trigger_state').select('changes_from'), key);
      const from = (await query.executeTakeFirst())?.changes_from ?? null;
      return from === null ? null : Date.parse(from);
    },
    prune: (rule, step) => pruneChanges(db, rule, step),
  };
}

async function seqOf(db: Kysely<Tables>, id: string): Promise<number> {
  const query = db.selectFrom('trigger_change').select('seq').where('id', '=', id);
  return (await query.executeTakeFirst())?.seq ?? 0;
}

// A statement has at most 32,766 values.
const CHUNK = 1000;

async function recordSeen(
  db: Kysely<Tables>,
  { changes, known, gone, notes = [] }: Seen,
): Promise<void> {
  if (changes.length + known.length + gone.length + notes.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await inserted(tx, changes);
    if (notes.length > 0) await tx.deleteFrom('change_note').where('id', 'in', notes).execute();
    const projects = [...new Set(changes.flatMap(({ project }) => project ?? []))];
    if (projects.length > 0)
      await tx.deleteFrom('arming_cache').where('project', 'in', projects).execute();
    for (const { project, source, name } of gone) {
      await tx
        .deleteFrom('trigger_known')
        .where('project', '=', project)
        .where('source', '=', source)
        .where('name', '=', name)
        .execute();
    }
    for (let from = 0; from < known.length; from += CHUNK) {
      const rows = known
        .slice(from, from + CHUNK)
        .map(({ armedSince, ...rest }) => ({ ...rest, armed_since: armedSince }));
      await tx
        .insertInto('trigger_known')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['project', 'source', 'name']).doUpdateSet((eb) => ({
            hash: eb.ref('excluded.hash'),
            shown: eb.ref('excluded.shown'),
            armed_since: eb.ref('excluded.armed_since'),
            anchor: eb.ref('excluded.anchor'),
            trouble: eb.ref('excluded.trouble'),
          })),
        )
        .execute();
    }
  });
}
