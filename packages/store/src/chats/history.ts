import type { Message, SessionId, TurnId } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import { messageOf } from '../database/records.ts';
import type { MessageRow, Tables } from '../database/schema.ts';

interface Sized {
  readonly seq: number;
  readonly bytes: number;
  readonly turnId: TurnId;
  /** When its turn started, or ended without having started. */
  readonly ran: string;
}

const PAGE = 500;
const MOST_MESSAGES = 5000;

/**
 * Reads the newest ended turns of a chat that fit. Their messages may not be adjacent: the prompt of a queued turn is
 * among the messages of the turn before it.
 */
export async function readHistory(
  db: Kysely<Tables>,
  sessionId: SessionId,
  mostBytes: number,
): Promise<Message[]> {
  const turns = await newestTurns(db, sessionId, mostBytes);
  if (turns.length === 0) return [];
  const sizes = await sizesOf(db, sessionId, sql`and message.turn_id in (${sql.join(turns)})`);
  const kept = thatFit(sizes.sort(inOrder), mostBytes);
  if (kept.length === 0) return [];
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('seq', 'in', kept)
    .execute();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return withoutLooseEnds(kept.map((seq) => messageOf(bySeq.get(seq) as MessageRow)));
}

// Turns of a chat never overlap, and each ends with its last message, so whatever is omitted here ran earlier.
async function newestTurns(
  db: Kysely<Tables>,
  sessionId: SessionId,
  mostBytes: number,
): Promise<TurnId[]> {
  const turns = new Set<TurnId>();
  let before = Number.MAX_SAFE_INTEGER;
  let bytes = 0;
  let count = 0;
  while (bytes <= mostBytes && count <= MOST_MESSAGES) {
    const page = await db
      .selectFrom('message')
      .select(['seq', 'bytes', 'turn_id'])
      .where('session_id', '=', sessionId)
      .where('seq', '<', before)
      .orderBy('seq', 'desc')
      .limit(PAGE)
      .execute();
    const ids = [...new Set(page.flatMap((row) => row.turn_id ?? []))];
    const ended = await endedAmong(db, sessionId, ids);
    for (const row of page) {
      if (row.turn_id === null || !ended.has(row.turn_id)) continue;
      turns.add(row.turn_id);
      bytes += Number(row.bytes);
      count += 1;
    }
    if (page.length < PAGE) break;
    before = page.at(-1)?.seq ?? 0;
  }
  return [...turns];
}

// A copy has messages of turns of other chats, and only a part of those that were running while it was made.
const ENDED = sql`turn.state = 'ended' and (turn.session_id = chat.session_id or turn.ended_at <= chat.created_at)`;

async function endedAmong(
  db: Kysely<Tables>,
  sessionId: SessionId,
  ids: readonly TurnId[],
): Promise<ReadonlySet<TurnId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: TurnId }>`
    select turn.id from turn, chat
    where chat.session_id = ${sessionId} and turn.id in (${sql.join(ids)}) and ${ENDED}`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

async function sizesOf(
  db: Kysely<Tables>,
  sessionId: SessionId,
  among: ReturnType<typeof sql>,
): Promise<Sized[]> {
  const { rows } = await sql<Sized>`
    select message.seq, message.bytes, message.turn_id as "turnId",
      coalesce(turn.started_at, turn.ended_at) as ran
    from message join turn on turn.id = message.turn_id
    where message.session_id = ${sessionId} ${among}`.execute(db);
  return [...rows];
}

function inOrder(a: Sized, b: Sized): number {
  if (a.ran !== b.ran) return a.ran < b.ran ? -1 : 1;
  if (a.turnId !== b.turnId) return a.turnId < b.turnId ? -1 : 1;
  return a.seq - b.seq;
}

/** Numbers of the messages of the newest whole turns that fit, or else of the last messages of the newest turn. */
function thatFit(sizes: readonly Sized[], mostBytes: number): number[] {
  const newest = sizes.at(-1)?.turnId;
  let bytes = 0;
  let whole = sizes.length;
  let from = sizes.length;
  for (let i = sizes.length - 1; i >= 0; i -= 1) {
    const { bytes: size, turnId } = sizes[i] as Sized;
    bytes += Number(size);
    if (bytes > mostBytes || sizes.length - i > MOST_MESSAGES) break;
    from = i;
    if (i === 0 || sizes[i - 1]?.turnId !== turnId) whole = i;
  }
  const begin = sizes[whole] === undefined && sizes[from]?.turnId === newest ? from : whole;
  return sizes.slice(begin).map(({ seq }) => seq);
}

// A tool result is meaningless without its call.
function withoutLooseEnds(messages: Message[]): Message[] {
  const first = messages.findIndex(({ kind }) => kind !== 'tool_result');
  return first === -1 ? [] : messages.slice(first);
}
