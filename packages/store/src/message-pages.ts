import type { Message, SessionId } from '@svc/records';
import type { Kysely } from 'kysely';
import { messageOf } from './records.ts';
import type { Tables } from './schema.ts';

/** Which part of a transcript to read. */
export interface MessagePage {
  /** At most so many messages, at least 1. */
  readonly limit: number;
  /** What a previous page gave as `next`: the page ends before this message. */
  readonly cursor?: number;
}

/** A part of a transcript, in reading order. */
export interface MessagesRead {
  readonly messages: readonly Message[];
  /** Goes into `cursor` for the messages before these; null where there are none. */
  readonly next: number | null;
}

// Messages may be long, and a page of a thousand long ones would be too much for whoever reads it.
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads the newest messages of a chat, fewer than `limit` where they hold more than 8 MiB together, but at least one. */
export async function readMessages(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { limit, cursor = Number.MAX_SAFE_INTEGER }: MessagePage,
): Promise<MessagesRead> {
  const sizes = await db
    .selectFrom('message')
    .select(['seq', 'bytes'])
    .where('session_id', '=', sessionId)
    .where('seq', '<', cursor)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  const from = firstThatFits(sizes);
  if (from === null) return { messages: [], next: null };
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('seq', '<', cursor)
    .where('seq', '>=', from)
    .orderBy('seq')
    .execute();
  return { messages: rows.map(messageOf), next: from > 1 ? from : null };
}

function firstThatFits(newestFirst: readonly { seq: number; bytes: number }[]): number | null {
  let first: number | null = null;
  let bytes = 0;
  for (const message of newestFirst) {
    bytes += Number(message.bytes);
    if (first !== null && bytes > MOST_BYTES) return first;
    first = Number(message.seq);
  }
  return first;
}
