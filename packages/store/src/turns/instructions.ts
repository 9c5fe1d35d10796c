import { hash } from 'node:crypto';
import { isoTime } from '@svc/core';
import type { NewMessage, SessionId, TurnId } from '@svc/records';
import type { Kysely } from 'kysely';
import { appendMessages } from '../chats/messages.ts';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';

const LENGTH = 11;

/** A short text that changes whenever the given instructions change. */
export function instructionsMark(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, LENGTH);
}

/** Instructions that precede the prompt of a turn. */
export interface TurnInstructions {
  readonly turnId: TurnId;
  readonly sessionId: SessionId;
  /** The message with the instructions. */
  readonly notice: NewMessage;
}

const changeMark = prepared((db, given: { readonly sessionId: SessionId; readonly mark: string }) =>
  db
    .updateTable('chat')
    .set({ instructions_hash: given.mark })
    .where('session_id', '=', given.sessionId)
    .where((eb) =>
      eb.or([eb('instructions_hash', 'is', null), eb('instructions_hash', '<>', given.mark)]),
    )
    .returning('nr')
    .compile(),
);

const selectMark = prepared((db, given: { readonly sessionId: SessionId }) =>
  db
    .selectFrom('chat')
    .select('instructions_hash as mark')
    .where('session_id', '=', given.sessionId)
    .compile(),
);

/** Adds instructions to a chat unless they are the last ones it has; true if added. */
export async function tellInstructions(
  db: Kysely<Tables>,
  { turnId, sessionId, notice }: TurnInstructions,
  at: number,
): Promise<boolean> {
  const mark = instructionsMark(notice.text);
  const [last] = await selectMark(db, { sessionId });
  if (last?.mark === mark) return false;
  return db.transaction().execute(async (tx) => {
    const changed = await changeMark(tx, { sessionId, mark });
    if (changed.length === 0) return false;
    await appendMessages(tx, { sessionId, turnId, messages: [notice], at: isoTime(at) });
    return true;
  });
}
