import type { NewMessage, SessionId, TurnId } from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { keepContent } from './contents.ts';
import type { Tables } from './schema.ts';

/** Puts messages at the end of a chat, in order. */
export async function appendMessages(
  tx: Transaction<Tables>,
  addition: {
    readonly sessionId: SessionId;
    readonly turnId: TurnId | null;
    readonly messages: readonly NewMessage[];
    readonly at: string;
  },
): Promise<void> {
  const { sessionId, turnId, messages, at } = addition;
  if (messages.length === 0) return;
  const chat = await tx
    .updateTable('chat')
    .set((eb) => ({
      message_count: eb('message_count', '+', messages.length),
      updated_at: at,
    }))
    .where('session_id', '=', sessionId)
    .returning(['nr', 'message_count'])
    .executeTakeFirstOrThrow();
  const first = Number(chat.message_count) - messages.length + 1;
  const rows = [];
  for (const [i, { role, kind, text, tool, by }] of messages.entries()) {
    const { callId = null, ...rest } = tool ?? {};
    // Undefined keys leave no trace in the text.
    const body = JSON.stringify({ text, tool: tool === null ? null : rest, by });
    const content = await keepContent(tx, { role, kind, body });
    const turn = turnOf(turnId);
    const seq = first + i;
    rows.push({ chat: chat.nr, seq, turn, content, call_id: callId, created_at: at });
  }
  await tx.insertInto('said').values(rows).execute();
}

function turnOf(id: TurnId | null) {
  return id === null ? null : sql<number>`(select nr from turn where id = ${id})`;
}
