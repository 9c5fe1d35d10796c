import { createHash } from 'node:crypto';
import { isoTime } from '@svc/core';
import type { NewMessage, SessionId, TurnId } from '@svc/records';
import type { Transaction } from 'kysely';
import { appendMessages } from './messages.ts';
import type { Tables } from './schema.ts';

const LENGTH = 11;

/** A short text that changes whenever the given one does. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, LENGTH);
}

/** What a turn is told before its prompt. */
export interface TurnInstructions {
  readonly turnId: TurnId;
  readonly sessionId: SessionId;
  /** The message that tells it. */
  readonly notice: NewMessage;
}

/** Puts instructions into a chat unless it has told the same ones last; true when it did. */
export async function tellInstructions(
  tx: Transaction<Tables>,
  { turnId, sessionId, notice }: TurnInstructions,
  at: number,
): Promise<boolean> {
  const hash = textHash(notice.text);
  const changed = await tx
    .updateTable('chat')
    .set({ instructions_hash: hash })
    .where('session_id', '=', sessionId)
    .where((eb) =>
      eb.or([eb('instructions_hash', 'is', null), eb('instructions_hash', '<>', hash)]),
    )
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return false;
  await appendMessages(tx, { sessionId, turnId, messages: [notice], at: isoTime(at) });
  return true;
}
