import type { NewMessage, SessionId, TurnId } from '@svc/records';
import type { Transaction } from 'kysely';
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
    .returning('message_count')
    .executeTakeFirstOrThrow();
  const first = Number(chat.message_count) - messages.length + 1;
  const rows = messages.map((message, i) => {
    const { text, tool, by } = message;
    // Undefined keys leave no trace in the text.
    const body = JSON.stringify({ text, tool, by });
    return {
      session_id: sessionId,
      seq: first + i,
      turn_id: turnId,
      role: message.role,
      kind: message.kind,
      body,
      bytes: Buffer.byteLength(body),
      created_at: at,
    };
  });
  await tx.insertInto('message').values(rows).execute();
}
