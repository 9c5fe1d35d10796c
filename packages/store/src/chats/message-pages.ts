import type { Message, SessionId } from '@svc/records';
import type { Kysely } from 'kysely';
import { messageOf } from '../database/records.ts';
import type { Tables } from '../database/schema.ts';

/** Which part of a transcript to read. */
export interface MessagePage {
  /** Maximum number of messages, at least 1. */
  readonly limit: number;
  /** `next` of the previous page: the page ends before this message. */
  readonly cursor?: number;
}

/** Which newer messages to read. */
export interface NewerMessages {
  /** Maximum number of messages, at least 1. */
  readonly limit: number;
  /** Number of the last known message; 0 for none. */
  readonly after: number;
}

/** A part of a transcript, oldest first. */
export interface MessagesRead {
  readonly messages: readonly Message[];
  /** Pass as `cursor` or `after` to get the next part; null at the end. */
  readonly next: number | null;
}

// Messages may be long, so a page is limited by bytes too.
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads the newest messages of a chat: at least one, and fewer than `limit` if they exceed 8 MiB together. */
export async function readMessages(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { limit, cursor = Number.MAX_SAFE_INTEGER }: MessagePage,
): Promise<MessagesRead> {
  const sizes = await sizesOf(db, sessionId)
    .where('seq', '<', cursor)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  const from = lastThatFits(sizes.slice(0, limit));
  if (from === null) return { messages: [], next: null };
  const messages = await readBetween(db, sessionId, from, cursor - 1);
  // Retention removes the oldest messages, so the first remaining number may be greater than 1.
  return { messages, next: from === Number(sizes.at(-1)?.seq) ? null : from };
}

/** Reads the messages after a given one, oldest first, within the same limits. */
export async function readNewer(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { limit, after }: NewerMessages,
): Promise<MessagesRead> {
  const sizes = await sizesOf(db, sessionId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit + 1)
    .execute();
  const until = lastThatFits(sizes.slice(0, limit));
  if (until === null) return { messages: [], next: null };
  const messages = await readBetween(db, sessionId, after + 1, until);
  return { messages, next: until === Number(sizes.at(-1)?.seq) ? null : until };
}

function sizesOf(db: Kysely<Tables>, sessionId: SessionId) {
  return db.selectFrom('message').select(['seq', 'bytes']).where('session_id', '=', sessionId);
}

async function readBetween(
  db: Kysely<Tables>,
  sessionId: SessionId,
  from: number,
  until: number,
): Promise<Message[]> {
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('seq', '>=', from)
    .where('seq', '<=', until)
    .orderBy('seq')
    .execute();
  return rows.map(messageOf);
}

function lastThatFits(sizes: readonly { seq: number; bytes: number }[]): number | null {
  let last: number | null = null;
  let bytes = 0;
  for (const message of sizes) {
    bytes += Number(message.bytes);
    if (last !== null && bytes > MOST_BYTES) return last;
    last = Number(message.seq);
  }
  return last;
}
