import type { NewMessage, SessionId, TurnId } from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { type Content, keepContents } from '../database/contents.ts';
import { only, prepared, preparedRows } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';

const lengthen = prepared(
  (db, given: { readonly sessionId: SessionId; readonly count: number; readonly at: string }) =>
    db
      .updateTable('chat')
      .set((eb) => ({
        message_count: eb('message_count', '+', given.count),
        updated_at: given.at,
      }))
      .where('session_id', '=', given.sessionId)
      .returning(['nr', 'message_count'])
      .compile(),
);

interface Said {
  readonly chat: number;
  readonly seq: number;
  readonly turnId: TurnId | null;
  readonly content: number;
  readonly callId: string | null;
  readonly at: string;
}

const say = preparedRows((db, all: readonly Said[]) =>
  db
    .insertInto('message_ref')
    .values(
      all.map((given) => ({
        chat: given.chat,
        seq: given.seq,
        turn: sql<number>`(select nr from turn where id = ${given.turnId})`,
        content: given.content,
        call_id: given.callId,
        created_at: given.at,
      })),
    )
    .compile(),
);

interface Addition {
  readonly turnId: TurnId | null;
  readonly messages: readonly NewMessage[];
  /** UTC ISO text. */
  readonly at: string;
}

/** Puts messages at the end of a chat, in order. */
export async function appendMessages(
  tx: Transaction<Tables>,
  addition: Addition & { readonly sessionId: SessionId },
): Promise<void> {
  const { messages } = addition;
  if (messages.length === 0) return;
  await appendKept(tx, { ...addition, contents: await keepContents(tx, messages.map(contentOf)) });
}

/** The same for messages whose contents are stored already: `contents` are their numbers. */
export async function appendKept(
  tx: Transaction<Tables>,
  addition: Addition & { readonly sessionId: SessionId; readonly contents: readonly number[] },
): Promise<void> {
  const { sessionId, messages, at } = addition;
  if (messages.length === 0) return;
  const rows = await lengthen(tx, { sessionId, count: messages.length, at });
  const chat = only(rows, `the chat ${sessionId}`);
  const first = Number(chat.message_count) - messages.length + 1;
  await sayFrom(tx, { ...addition, chat: chat.nr, first });
}

/**
 * Inserts messages into a chat that has counted them already: `chat` is its number, `first` the position of the first
 * one.
 */
export async function sayFrom(
  tx: Transaction<Tables>,
  addition: Addition & {
    readonly chat: number;
    readonly first: number;
    readonly contents: readonly number[];
  },
): Promise<void> {
  const { chat, first, turnId, messages, contents, at } = addition;
  await say(
    tx,
    messages.map(({ tool }, i) => ({
      chat,
      seq: first + i,
      turnId,
      content: contents[i] as number,
      callId: tool?.callId ?? null,
      at,
    })),
  );
}

/** The stored content of a message. */
export function contentOf({ role, kind, text, tool, by }: NewMessage): Content {
  const { callId: _, ...rest } = tool ?? {};
  // `JSON.stringify` omits undefined keys.
  return { role, kind, body: JSON.stringify({ text, tool: tool === null ? null : rest, by }) };
}
