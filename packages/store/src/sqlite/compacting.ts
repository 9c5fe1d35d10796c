import { type Kysely, sql } from 'kysely';

// The text of a message without the id of its call, which is different each time.
const BODY = `case when json_extract(body, '$.tool.callId') is null then body else json_remove(body, '$.tool.callId') end`;

const CONTENTS = [
  `create table content(
    id integer primary key, hash blob not null unique, refs integer not null, role text not null, kind text not null,
    bytes integer not null, body text not null)`,
  `insert into content(hash, refs, role, kind, bytes, body)
    select content_hash(role, kind, body), count(*), role, kind, octet_length(body), body
    from (select role, kind, ${BODY} as body from message
      union all select '', 'prompt', prompt from turn
      union all select '', 'context', context from turn where context <> 'null'
      union all select '', 'capability', capability from turn
      union all select '', 'capability', capability from chat)
    group by role, kind, body`,
];

const MESSAGES = [
  `create table said(
    chat integer not null, seq integer not null, turn integer, content integer not null, call_id text,
    created_at text not null, primary key(chat, seq)) without rowid`,
  `insert into said(chat, seq, turn, content, call_id, created_at)
    select chat.nr, seq, turn.nr, content.id, short_form(old.call_id), short_form(old.created_at)
    from (select session_id, seq, turn_id, role, kind, ${BODY} as body, json_extract(body, '$.tool.callId') as call_id,
        created_at from message) as old
      cross join chat on chat.session_id = short_form(old.session_id)
      cross join content on content.hash = content_hash(old.role, old.kind, old.body)
      left join turn on turn.id = short_form(old.turn_id)`,
  'drop table message',
  'create index said_in_turn on said(turn)',
  `create view message as
    select chat.session_id as session_id, said.seq as seq, turn.id as turn_id, content.role as role, content.kind as kind,
      content.body as body, content.bytes as bytes, said.call_id as call_id, said.created_at as created_at
    from said join chat on chat.nr = said.chat join content on content.id = said.content
      left join turn on turn.nr = said.turn`,
];

const PRUNING = [
  'alter table chat add column pruned_count integer not null default 0',
  'alter table chat add column is_spoken_in integer not null default 0',
  `update chat set is_spoken_in = 1 where session_id in (select session_id from turn where run_id is null)`,
  `create index run_failed on run(project, source, name, id)
    where outcome in ('failed', 'timed_out', 'max_turns', 'denied', 'no_model')`,
  'alter table trigger_state add column pruned_runs integer not null default 0',
  'alter table trigger_state add column pruned_until text',
  'alter table trigger_state add column pruned_id text',
  `create table pruned_slot(
    project text not null, source text not null, name text not null, first_slot text not null, last_slot text not null,
    primary key(project, source, name, first_slot)) without rowid`,
  `drop index if exists run_of_trigger`,
  `create unique index run_of_trigger on run(project, source, name, scheduled_for) where scheduled_for is not null`,
  'drop index run_of_event',
  `create unique index run_of_event on run(event_id, name) where event_id is not null`,
];

const contentOf = (kind: string) => (column: string) =>
  `(select id from content where hash = content_hash('', '${kind}', ${column}))`;

/**
 * Rewrites every table: short ids and instants, each text stored once, and no derived data. Other columns and tables
 * are kept.
 */
export async function compact(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  for (const statement of CONTENTS) await run(statement);
  const capability = contentOf('capability');
  const own: Readonly<Record<string, Rebuilding>> = {
    run: { leftOut: ['slot_key'], numbers: {} },
    turn: {
      key: 'id',
      leftOut: [],
      numbers: { prompt: contentOf('prompt'), context: contentOf('context'), capability },
    },
    chat: { key: 'session_id', leftOut: ['agent_name'], numbers: { capability } },
  };
  for (const table of await tablesOf(db)) {
    await rebuild(db, table, own[table] ?? { leftOut: [], numbers: {} });
  }
  for (const statement of [...MESSAGES, ...PRUNING]) await run(statement);
  await run(`update chat set instructions_hash = substr(instructions_hash, 1, 11)`);
  await run(`update turn set deadline_at = null, owner_node = null where state = 'ended'`);
}

interface Rebuilding {
  /** Columns that identify its rows, if they get numbers besides. */
  readonly key?: string;
  readonly leftOut: readonly string[];
  /** Columns that become numbers of contents. */
  readonly numbers: Readonly<Record<string, (column: string) => string>>;
}

const NOT_TOUCHED = ['message', 'content', 'kysely_migration', 'kysely_migration_lock'];

async function tablesOf(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !NOT_TOUCHED.includes(name));
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** Position in the primary key, from 1; 0 for none. */
  readonly pk: number;
}

async function rebuild(db: Kysely<unknown>, table: string, how: Rebuilding): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const { rows } = await sql<Column>`select * from pragma_table_info(${table})`.execute(db);
  const columns = rows.filter(({ name }) => !how.leftOut.includes(name));
  const indexes = await sql<{ sql: string }>`
    select sql from sqlite_schema where type = 'index' and tbl_name = ${table} and sql is not null`.execute(
    db,
  );
  const kept = columns.map(({ name, type }) => {
    const number = how.numbers[name];
    if (number !== undefined) return number(name);
    return type === 'text' || type === 'TEXT' ? `short_form(${name})` : name;
  });
  await run(`create table rebuilt(${definitionsOf(columns, how).join(', ')})`);
  const names = columns.map(({ name }) => name).join(', ');
  await run(`insert into rebuilt(${names}) select ${kept.join(', ')} from ${table}`);
  await run(`drop table ${table}`);
  await run(`alter table rebuilt rename to ${table}`);
  for (const index of indexes.rows) {
    if (!how.leftOut.some((column) => index.sql.includes(column))) await run(index.sql);
  }
}

function definitionsOf(columns: readonly Column[], { key, numbers }: Rebuilding): string[] {
  const definitions = columns.map(({ name, type, notnull, dflt_value }) => {
    if (name in numbers)
      return `${name} integer${notnull && name !== 'context' ? ' not null' : ''}`;
    const always = notnull || name === key ? ' not null' : '';
    return `${name} ${type}${always}${dflt_value === null ? '' : ` default ${dflt_value}`}`;
  });
  if (key !== undefined) return ['nr integer primary key', ...definitions, `unique(${key})`];
  const ofKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const primary = `primary key(${ofKey.map(({ name }) => name).join(', ')})`;
  return ofKey.length === 0 ? definitions : [...definitions, primary];
}
