import type { Message, SessionId, TurnId } from '@svc/records';
import type { Kysely } from 'kysely';
import { messageOf } from '../database/records.ts';
import type { MessageRow, Tables } from '../database/schema.ts';

/** How much of the messages of turns to read. */
export interface TurnMessagesBounds {
  /** Maximum total of stored bytes; the newest message is always included. */
  readonly mostBytes: number;
  /** Maximum number of bytes that one text counts for. */
  readonly mostOfText: number;
  /** The same for a tool call or its result. */
  readonly mostOfTool: number;
}

/** A message with its chat. */
export interface TurnMessage extends Message {
  readonly sessionId: SessionId;
  /** Name of the chat. */
  readonly chat: string;
}

/** The newest messages of turns, oldest first. */
export interface TurnMessages {
  readonly messages: readonly TurnMessage[];
  /** Number of omitted older messages. */
  readonly omitted: number;
}

// More than fits into any reasonable limits, and fewer than the maximum number of values in a statement.
const MOST_MESSAGES = 2000;
const MOST_TURNS = 5000;

/**
 * Reads the newest messages of turns that fit, without notices of the service and without copies in other chats. Of
 * more than 5,000 turns, only the messages of the last ones are read; the others are counted.
 */
export async function readTurnMessages(
  db: Kysely<Tables>,
  ids: readonly TurnId[],
  bounds: TurnMessagesBounds,
): Promise<TurnMessages> {
  if (ids.length === 0) return { messages: [], omitted: 0 };
  const sizes = await messageRefsIn(db, ids.slice(-MOST_TURNS))
    .select(['message.session_id', 'message.seq', 'message.kind', 'message.bytes', 'chat.name'])
    .orderBy('message.created_at', 'desc')
    .orderBy('message.session_id', 'desc')
    .orderBy('message.seq', 'desc')
    .limit(MOST_MESSAGES)
    .execute();
  const kept = sizes.slice(0, fitting(sizes, bounds)).reverse();
  const rows = await readRows(db, kept);
  const messages = kept.flatMap(({ session_id: sessionId, seq, name: chat }) => {
    const row = rows.get(`${sessionId} ${seq}`);
    return row === undefined ? [] : [{ ...messageOf(row), sessionId, chat }];
  });
  return { messages, omitted: (await countSaid(db, ids)) - messages.length };
}

function messageRefsIn(db: Kysely<Tables>, ids: readonly TurnId[]) {
  return db
    .selectFrom('message')
    .innerJoin('turn', (join) =>
      join
        .onRef('turn.id', '=', 'message.turn_id')
        .onRef('turn.session_id', '=', 'message.session_id'),
    )
    .innerJoin('chat', 'chat.session_id', 'message.session_id')
    .where('message.turn_id', 'in', ids)
    .where('message.kind', '<>', 'notice');
}

type Sized = Pick<MessageRow, 'session_id' | 'seq' | 'kind' | 'bytes'>;

function fitting(newestFirst: readonly Sized[], bounds: TurnMessagesBounds): number {
  let bytes = 0;
  const over = newestFirst.findIndex((message, at) => {
    const most = message.kind === 'text' ? bounds.mostOfText : bounds.mostOfTool;
    bytes += Math.min(Number(message.bytes), most);
    return at > 0 && bytes > bounds.mostBytes;
  });
  return over === -1 ? newestFirst.length : over;
}

async function readRows(
  db: Kysely<Tables>,
  kept: readonly Sized[],
): Promise<ReadonlyMap<string, MessageRow>> {
  const rows = new Map<string, MessageRow>();
  const bySession = new Map<SessionId, number[]>();
  for (const { session_id: id, seq } of kept)
    bySession.set(id, [...(bySession.get(id) ?? []), seq]);
  for (const [sessionId, seqs] of bySession) {
    const found = await db
      .selectFrom('message')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('seq', 'in', seqs)
      .execute();
    for (const row of found) rows.set(`${sessionId} ${row.seq}`, row);
  }
  return rows;
}

async function countSaid(db: Kysely<Tables>, ids: readonly TurnId[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < ids.length; from += MOST_TURNS) {
    const row = await messageRefsIn(db, ids.slice(from, from + MOST_TURNS))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    count += Number(row.count);
  }
  return count;
}
