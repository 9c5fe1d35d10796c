import { hash } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { decode } from '../sqlite/value-encoding.ts';
import { only, preparedRows } from './prepared.ts';
import type { Tables } from './schema.ts';

/** A stored text and what it is: a message of a role, or something else identified by its kind. */
export interface Content {
  readonly role: string;
  readonly kind: string;
  readonly body: string;
}

const HASH_BYTES = 16;

/** Identifies a content. */
function contentHash(role: string, kind: string, body: string): Uint8Array {
  return hash('sha256', `${role}\0${kind}\0${body}`, 'buffer').subarray(0, HASH_BYTES);
}

interface NewContent extends Content {
  readonly digest: Uint8Array;
  readonly bytes: number;
  readonly refs: number;
}

const insertContents = preparedRows((db, all: readonly NewContent[]) => {
  const rows = all.map(
    ({ digest, refs, role, kind, bytes, body }) =>
      sql`(${digest}, ${refs}, ${role}, ${kind}, ${bytes}, ${body})`,
  );
  return sql<{ id: number; hash: unknown }>`
    insert into content(hash, refs, role, kind, bytes, body) values ${sql.join(rows)}
    on conflict(hash) do update set refs = content.refs + excluded.refs returning id, hash`.compile(
    db,
  );
});

/** Stores contents, or increments the reference count of those already stored; returns their numbers, in order. */
export async function keepContents(
  tx: Transaction<Tables>,
  contents: readonly Content[],
): Promise<number[]> {
  // One statement must not update the same row twice.
  const distinct = new Map<string, NewContent>();
  const names = contents.map((content) => {
    const digest = contentHash(content.role, content.kind, content.body);
    const name = nameOf(digest);
    const known = distinct.get(name);
    const bytes = known?.bytes ?? Buffer.byteLength(content.body);
    distinct.set(name, { ...content, digest, bytes, refs: (known?.refs ?? 0) + 1 });
    return name;
  });
  const rows = await insertContents(tx, [...distinct.values()]);
  const ids = new Map(rows.map(({ id, hash }) => [nameOf(hash), id]));
  return names.map((name) => {
    const id = ids.get(name);
    return only(id === undefined ? [] : [id], 'a text');
  });
}

// A short id has as many bytes as a hash, so an embedded database returns a hash in the text form of an id.
function nameOf(hash: unknown): string {
  return String(decode(hash));
}

/** Stores a text that is not a message. */
export async function keepText(
  tx: Transaction<Tables>,
  kind: string,
  body: string,
): Promise<number> {
  return only(await keepContents(tx, [textContent(kind, body)]), 'a text');
}

/** A text that is not a message, as a content. */
export function textContent(kind: string, body: string): Content {
  return { role: '', kind, body };
}

/** Decrements reference counts, once for each mention; contents without references are deleted. */
export async function releaseContents(
  tx: Transaction<Tables>,
  ids: readonly (number | null)[],
): Promise<void> {
  const counts = new Map<number, number>();
  for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) {
    const { rows } = await sql<{ refs: number }>`
      select refs from content where id = ${id}`.execute(tx);
    // A long text is deleted without being rewritten first.
    if ((rows[0]?.refs ?? 0) <= count) {
      await tx.deleteFrom('content').where('id', '=', id).execute();
    } else {
      await sql`update content set refs = refs - ${count} where id = ${id}`.execute(tx);
    }
  }
}

/** The text of the content whose number a turn has. */
export function bodyOf(
  column: 'turn.prompt' | 'turn.context' | 'turn.capability',
): RawBuilder<string | null> {
  return sql`(select body from content where content.id = ${sql.ref(column)})`;
}
