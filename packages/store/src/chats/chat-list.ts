import type { Chat, Slug } from '@svc/records';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { chatOf } from '../database/records.ts';
import type { Tables } from '../database/schema.ts';

/** Which chats to list. */
export interface ChatFilter {
  /** Chats of these projects. */
  readonly projects: readonly Slug[];
  readonly includeArchived: boolean;
  /** Maximum number, 1 to 200. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string;
}

/** A page of chats, most recently active first. */
export interface ListedChats {
  readonly chats: Chat[];
  readonly omittedArchived: number;
  readonly next: string | null;
}

/** Whether a chat has a turn that has not ended. */
export const RUNNING: RawBuilder<number> = sql<number>`exists(select 1 from turn where turn.session_id = chat.session_id and turn.state <> 'ended')`;

/** The capability of a chat as text instead of its number. */
export const CHAT_CAPABILITY: RawBuilder<string> = sql<string>`(select body from content where content.id = chat.capability)`;

/** Reads one page of chats. */
export async function listChats(db: Kysely<Tables>, filter: ChatFilter): Promise<ListedChats> {
  let query = db
    .selectFrom('chat')
    .selectAll()
    .select([RUNNING.as('running'), CHAT_CAPABILITY.as('capability')])
    .where('project', 'in', filter.projects);
  if (!filter.includeArchived) query = query.where('archived_at', 'is', null);
  const [time, id] = (filter.cursor ?? '').split('~');
  if (time !== undefined && id !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('updated_at', '<', time),
        eb.and([eb('updated_at', '=', time), eb('session_id', '<', id)]),
      ]),
    );
  }
  const rows = await query
    .orderBy('updated_at', 'desc')
    .orderBy('session_id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  const page = rows.slice(0, filter.limit);
  const last = page.at(-1);
  const more = rows.length > filter.limit && last !== undefined;
  return {
    chats: page.map(chatOf),
    omittedArchived: filter.includeArchived ? 0 : await countArchived(db, filter.projects),
    next: more ? `${last.updated_at}~${last.session_id}` : null,
  };
}

async function countArchived(db: Kysely<Tables>, projects: readonly Slug[]): Promise<number> {
  const row = await db
    .selectFrom('chat')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project', 'in', projects)
    .where('archived_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
