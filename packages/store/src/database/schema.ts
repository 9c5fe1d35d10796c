import type { Generated, Insertable, Selectable } from 'kysely';

/**
 * Columns hold text and integers, so that one schema serves SQLite and a server database alike. How ids and instants are
 * kept is a matter of the adapter: here they are texts.
 */
export interface Tables {
  run: RunTable;
  turn: TurnTable;
  chat: ChatTable;
  /** A view: what was said, with all that it consists of. */
  message: MessageTable;
  message_ref: MessageRefTable;
  content: ContentTable;
  pruned_slot: PrunedSlotTable;
  trigger_state: TriggerStateTable;
  trigger_bound: TriggerBoundTable;
  event: EventTable;
  session: SessionTable;
  usage_day: UsageDayTable;
  delivery: DeliveryTable;
  alert_state: AlertStateTable;
  outcome_day: OutcomeDayTable;
  instance: { key: string; value: string };
  node: NodeTable;
  trigger_change: TriggerChangeTable;
  trigger_known: TriggerKnownTable;
  change_note: ChangeNoteTable;
  kept_arming: KeptArmingTable;
  kept_file: KeptFileTable;
}

interface NodeTable {
  id: string;
  started_at: string;
  heartbeat_at: string;
  version: string;
  /** From when it fired what was due; null for one that never did. */
  serving_from: Generated<string | null>;
  /** When it stopped; null while it goes on, and for one that was killed. */
  stopped_at: Generated<string | null>;
  /** Name of its machine; null for one of an earlier version. */
  host: Generated<string | null>;
  /** When it left the database, or was held for dead; null while it is there, and for one of a database without others. */
  gone_at: Generated<string | null>;
  /** JSON of what is to be the same on all processes, by name; null while it is not told. */
  traits: Generated<string | null>;
  /** Where it answers, and its home; null while it has not told. */
  url: Generated<string | null>;
  home: Generated<string | null>;
  /** Id of the one that has held it for dead; null while nobody has. */
  evicted_by: Generated<string | null>;
  /** How many projects it looked after when it was held for dead; null where that is not known. */
  projects: Generated<number | null>;
}

interface TriggerChangeTable {
  /** In the order in which they were written. */
  seq: number;
  id: string;
  at: string;
  project: string | null;
  source: string | null;
  name: string | null;
  kind: string;
  by: string | null;
  via: string;
  session_id: string | null;
  written_at: string | null;
  reason: string | null;
  /** JSON of a list of changed fields. */
  fields: string;
  /** JSON of what holds from then on. */
  standing: string | null;
  anchor: string | null;
}

interface TriggerKnownTable {
  project: string;
  source: string;
  name: string;
  hash: string;
  /** JSON of its fields as they may be shown; null for one that is not valid. */
  shown: string | null;
  armed_since: string | null;
  anchor: string | null;
  /** Why it is not armed. */
  trouble: string | null;
}

interface ChangeNoteTable {
  id: string;
  node: string;
  project: string;
  name: string;
  /** Of the definition to be; empty for none. */
  hash: string;
  by: string;
  via: string;
  session_id: string | null;
}

/** What was armed of a project file. */
interface KeptArmingTable {
  project: string;
  maker: string;
  text_hash: string;
  mark: string | null;
  body: string;
}

/** What a project file said. */
interface KeptFileTable {
  project: string;
  maker: string;
  text_hash: string;
  body: Uint8Array;
}

interface RunTable {
  id: string;
  project: string;
  source: string;
  name: string;
  cause: string;
  scheduled_for: string | null;
  scheduled_until: string | null;
  slot_count: number;
  event_id: string | null;
  state: string;
  outcome: string | null;
  reason: string | null;
  session_id: string | null;
  turn_id: string | null;
  definition_hash: string | null;
  catch_up: number;
  late_ms: number | null;
  by_kind: string | null;
  by_id: string | null;
  claimed_at: string;
  started_at: string | null;
  ended_at: string | null;
  turns: Generated<number>;
  tool_calls: Generated<number>;
  /** null for runs of versions that did not count them. */
  tool_errors: Generated<number | null>;
  denied: Generated<string>;
  runtime: string | null;
  model: string | null;
  cost_microusd: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  /** 1 once everybody was told of its end who is to be. */
  notified: Generated<number>;
}

interface TurnTable {
  nr: Generated<number>;
  id: string;
  session_id: string;
  run_id: string | null;
  project: string;
  /** Numbers of contents. */
  prompt: number;
  context: number | null;
  capability: number;
  depth: number;
  spawn_limit: number | null;
  parent_turn: string | null;
  /** 1 for a turn that an event started, and for whatever turns such a turn has started. */
  of_event: Generated<number>;
  timeout_ms: number | null;
  state: string;
  queued_at: string;
  started_at: string | null;
  ended_at: string | null;
  deadline_at: string | null;
  owner_node: string | null;
  cancel_requested_at: string | null;
  cancel_by: string | null;
  outcome: string | null;
  reason: string | null;
  tokens_in: Generated<number | null>;
  tokens_out: Generated<number | null>;
  cost_microusd: Generated<number | null>;
}

interface ChatTable {
  nr: Generated<number>;
  session_id: string;
  project: string;
  name: string;
  origin: string;
  trigger_name: string | null;
  by_kind: string | null;
  by_id: string | null;
  /** Number of a content. */
  capability: number;
  model: string | null;
  runtime: string;
  /** The session that the runtime keeps for this chat. */
  runtime_ref: string | null;
  /** Of a copy: the session of the chat that it was copied from, as it was then. */
  fork_ref: Generated<string | null>;
  /** Of the instructions that its messages have told last. */
  instructions_hash: Generated<string | null>;
  forked_from: string | null;
  depth: number;
  spawn_limit: number | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  archived_by: string | null;
  /** Number of the last message that it got. */
  message_count: number;
  /** How many of its messages are not there any more. */
  pruned_count: Generated<number>;
  /** 1 where somebody has written into it, beside its trigger. */
  is_spoken_in: Generated<number>;
}

interface MessageTable {
  session_id: string;
  seq: number;
  turn_id: string | null;
  role: string;
  kind: string;
  /** JSON of `{ text, tool, by }`, its tool without the id of the call. */
  body: string;
  bytes: number;
  call_id: string | null;
  created_at: string;
}

/** A message: who said it and what stands in its content. */
interface MessageRefTable {
  /** Number of the chat. */
  chat: number;
  seq: number;
  /** Number of the turn. */
  turn: number | null;
  content: number;
  call_id: string | null;
  created_at: string;
}

/** A text that is kept once, however often it is said. */
interface ContentTable {
  id: Generated<number>;
  hash: Uint8Array;
  /** How many messages, turns and chats have it. */
  refs: number;
  /** Of the message; empty for what is no message. */
  role: string;
  kind: string;
  bytes: number;
  body: string;
}

/** Slots whose runs are not there any more; each instant from the first to the last counts as one of them. */
interface PrunedSlotTable {
  project: string;
  source: string;
  name: string;
  first_slot: string;
  last_slot: string;
}

interface TriggerStateTable {
  project: string;
  source: string;
  name: string;
  definition_hash: string | null;
  schedule_hash: string | null;
  anchor: string | null;
  armed_since: string | null;
  cursor: string | null;
  owned_session: string | null;
  last_run_id: string | null;
  consecutive_failures: Generated<number>;
  paused_at: string | null;
  paused_reason: string | null;
  /** The definition that is paused after `pause_after` failures in a row; null where none of them is. */
  guard_hash: string | null;
  pause_after: number | null;
  day: string | null;
  fires_today: Generated<number>;
  cost_today: Generated<number>;
  /** How many of its runs were removed, and when the newest of them was claimed. */
  pruned_runs: Generated<number>;
  pruned_until: Generated<string | null>;
  /** The newest id of those runs and of their chats. */
  pruned_id: Generated<string | null>;
  /** Of the runs that were removed, the newest that succeeded, and how many failed after it. */
  pruned_success: Generated<string | null>;
  pruned_failures: Generated<number>;
  /** From when its changes are kept; null where all of them are. */
  changes_from: Generated<string | null>;
}

interface TriggerBoundTable {
  project: string;
  name: string;
  definition_hash: string;
  /** JSON of a list of client bounds. */
  bounds: string;
  /** UTC ISO text of when they were noted last; null for rows of versions that did not keep it. */
  bound_at: Generated<string | null>;
}

interface UsageDayTable {
  project: string;
  /** `YYYY-MM-DD` where the host is. */
  day: string;
  /** Map of the trigger; `chat` for turns that no trigger fired. */
  source: string;
  name: string;
  runs: number;
  chat_turns: number;
  /** null while no turn has told any. */
  tokens_in: number | null;
  tokens_out: number | null;
  cost_microusd: number | null;
}

interface DeliveryTable {
  /** Sent as `webhook-id`. */
  id: string;
  sink: string;
  type: string;
  project: string;
  name: string;
  run_id: string | null;
  body: string;
  attempts: number;
  created_at: string;
  /** null once it has ended. */
  next_at: string | null;
  tried_at: string | null;
  /** When it was delivered, or given up. */
  ended_at: string | null;
  /** Of the newest try; null where that went well. */
  error: string | null;
}

/** What did not go well with a trigger on a day, where the host is. */
interface OutcomeDayTable {
  day: string;
  project: string;
  source: string;
  name: string;
  failures: Generated<number>;
  /** Slots. */
  missed: Generated<number>;
  skipped: Generated<number>;
}

interface AlertStateTable {
  project: string;
  source: string;
  name: string;
  sink: string;
  type: string;
  notified_at: string;
  is_open: number;
}

interface SessionTable {
  digest: string;
  token_digest: string;
  created_at: string;
  expires_at: string;
}

interface EventTable {
  id: string;
  kind: string;
  project: string;
  session_id: string | null;
  payload: string;
  caused_by_turn: string | null;
  created_at: string;
  /** When it was decided what it starts; null while that is open. */
  dispatched_at: string | null;
  /** Of an `afterTurn`: the run that covers it, together with others. */
  run_id: Generated<string | null>;
}

/** Rows as they are read. */
export type RunRow = Selectable<RunTable>;
export type TurnRow = Selectable<TurnTable>;
export type ChatRow = Omit<Selectable<ChatTable>, 'capability'> & { readonly capability: string };
export type MessageRow = Selectable<MessageTable>;

/** A run as it is written. */
export type NewRunRow = Insertable<RunTable>;
