import { hash } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { only, prepared } from './prepared.ts';
import type { Tables } from './schema.ts';

/** A text to be kept, and what it is: a message of a role, or something else with its kind alone. */
export interface Content {
  readonly role: string;
  readonly kind: string;
  readonly body: string;
}

const HASH_BYTES = 16;

/** What tells contents apart. */
export function contentHash(role: string, kind: string, body: string): Uint8Array {
  return hash('sha256', `${role}\0${kind}\0${body}`, 'buffer').subarray(0, HASH_BYTES);
}

interface NewContent extends Content {
  readonly digest: Uint8Array;
  readonly bytes: number;
}

const insertContent = prepared((db, { digest, role, kind, bytes, body }: NewContent) =>
  sql<{ id: number }>`
    insert into content(hash, refs, role, kind, bytes, body) values(${digest}, 1, ${role}, ${kind}, ${bytes}, ${body})
    on conflict(hash) do update set refs = content.refs + 1 returning id`.compile(db),
);

/** Keeps a content, or counts once more what is kept already; returns its number. */
export async function keepContent(
  tx: Transaction<Tables>,
  { role, kind, body }: Content,
): Promise<number> {
  const digest = contentHash(role, kind, body);
  const bytes = Buffer.byteLength(body);
  return only(await insertContent(tx, { digest, role, kind, bytes, body }), 'a text').id;
}

/** Keeps what is no message. */
export function keepText(tx: Transaction<Tables>, kind: string, body: string): Promise<number> {
  return keepContent(tx, { role: '', kind, body });
}

/** Lets go of contents, as often as each is named; what nobody has any more is deleted. */
export async function releaseContents(
  tx: Transaction<Tables>,
  ids: readonly (number | null)[],
): Promise<void> {
  const counts = new Map<number, number>();
  for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) {
    const { rows } = await sql<{ refs: number }>`
      select refs from content where id = ${id}`.execute(tx);
    // A long text is deleted without being written once more.
    if ((rows[0]?.refs ?? 0) <= count) {
      await tx.deleteFrom('content').where('id', '=', id).execute();
    } else {
      await sql`update content set refs = refs - ${count} where id = ${id}`.execute(tx);
    }
  }
}

/** The text that a turn has the number of. */
export function bodyOf(
  column: 'turn.prompt' | 'turn.context' | 'turn.capability',
): RawBuilder<string | null> {
  return sql`(select body from content where content.id = ${sql.ref(column)})`;
}
