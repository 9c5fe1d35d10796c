import type { Generated, Insertable, Selectable } from 'kysely';

/**
 * Columns hold text and integers, so that one schema works in SQLite and PostgreSQL. Adapters decide how ids and
 * instants are stored; here they are texts.
 */
export interface Tables {
  run: RunTable;
  turn: TurnTable;
  chat: ChatTable;
  /** A view that joins messages with their contents. */
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
  arming_cache: ArmingCacheTable;
}

interface NodeTable {
  id: string;
  started_at: string;
  heartbeat_at: string;
  version: string;
  /** When it started to fire triggers; null if it never did. */
  serving_from: Generated<string | null>;
  /** When it stopped; null while it runs, and if it was killed. */
  stopped_at: Generated<string | null>;
  /** Host name; null for servers of an earlier version. */
  host: Generated<string | null>;
  /** When it stopped or was evicted; null while it is live, and for an embedded database. */
  gone_at: Generated<string | null>;
  /** JSON of the values that must match on all servers, by name; null until they are reported. */
  traits: Generated<string | null>;
  /** Its address and home; null until they are reported. */
  url: Generated<string | null>;
  home: Generated<string | null>;
  /** Id of the server that evicted it; null if it was not evicted. */
  evicted_by: Generated<string | null>;
  /** Number of projects it owned when it was evicted; null if unknown. */
  projects: Generated<number | null>;
}

interface TriggerChangeTable {
  /** In the order written. */
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
  /** JSON of the state after the change. */
  standing: string | null;
  anchor: string | null;
}

interface TriggerKnownTable {
  project: string;
  source: string;
  name: string;
  hash: string;
  /** JSON of the fields that may be shown; null if the entry is invalid. */
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
  /** Hash of the new definition; empty if it is removed. */
  hash: string;
  by: string;
  via: string;
  session_id: string | null;
}

/** A cache of what was armed from a project file. */
interface ArmingCacheTable {
  project: string;
  maker: string;
  text_hash: string;
  mark: string | null;
  body: string;
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
  /** `enforced` or `none`; null if it started no process, and for runs of earlier versions. */
  sandbox: Generated<string | null>;
  /** JSON of a network record; null if there is none. */
  network: Generated<string | null>;
  runtime: string | null;
  model: string | null;
  cost_microusd: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  /** 1 if all alerts for its end were stored. */
  notified: Generated<number>;
}

interface TurnTable {
  nr: Generated<number>;
  id: string;
  session_id: string;
  run_id: string | null;
  project: string;
  /** Number of a content. */
  prompt: number;
  context: number | null;
  capability: number;
  depth: number;
  spawn_limit: number | null;
  parent_turn: string | null;
  /** 1 for a turn that was started by an event, directly or through other turns. */
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
  /** The session of the runtime for this chat. */
  runtime_ref: string | null;
  /** For a copy: the session of the source chat when it was copied. */
  fork_ref: Generated<string | null>;
  /** Hash of the last instructions in its messages. */
  instructions_hash: Generated<string | null>;
  forked_from: string | null;
  depth: number;
  spawn_limit: number | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  archived_by: string | null;
  /** Number of its newest message. */
  message_count: number;
  /** Number of removed messages. */
  pruned_count: Generated<number>;
  /** 1 if a caller other than its trigger has written to it. */
  is_spoken_in: Generated<number>;
}

interface MessageTable {
  session_id: string;
  seq: number;
  turn_id: string | null;
  role: string;
  kind: string;
  /** JSON of `{ text, tool, by }`, with the tool without the id of the call. */
  body: string;
  bytes: number;
  call_id: string | null;
  created_at: string;
}

/** A message: its author and the number of its content. */
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

/** A text that is stored once, however often it occurs. */
interface ContentTable {
  id: Generated<number>;
  hash: Uint8Array;
  /** Number of messages, turns and chats that refer to it. */
  refs: number;
  /** Role of the message; empty for other contents. */
  role: string;
  kind: string;
  bytes: number;
  body: string;
}

/** Slots whose runs were removed; every slot from the first to the last counts. */
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
  /** Hash of the definition that is paused after `pause_after` consecutive failures; null if none is. */
  guard_hash: string | null;
  pause_after: number | null;
  day: string | null;
  fires_today: Generated<number>;
  cost_today: Generated<number>;
  /** Number of removed runs, and when the newest of them was claimed. */
  pruned_runs: Generated<number>;
  pruned_until: Generated<string | null>;
  /** The newest id of those runs and of their chats. */
  pruned_id: Generated<string | null>;
  /** Of the removed runs, the newest that succeeded, and the number of failures after it. */
  pruned_success: Generated<string | null>;
  pruned_failures: Generated<number>;
  /** From when its changes are kept; null if all are. */
  changes_from: Generated<string | null>;
}

interface TriggerBoundTable {
  project: string;
  name: string;
  definition_hash: string;
  /** JSON of a list of client bounds. */
  bounds: string;
  /** When they were last recorded (UTC ISO text); null for rows of versions that did not record it. */
  bound_at: Generated<string | null>;
}

interface UsageDayTable {
  project: string;
  /** `YYYY-MM-DD` in the time zone of the host. */
  day: string;
  /** Map of the trigger; `chat` for turns that were not fired by a trigger. */
  source: string;
  name: string;
  runs: number;
  chat_turns: number;
  /** null until a turn reports tokens. */
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
  /** When it was delivered or given up. */
  ended_at: string | null;
  /** Error of the newest attempt; null if it succeeded. */
  error: string | null;
}

/** Unsuccessful outcomes of a trigger on a day, in the time zone of the host. */
interface OutcomeDayTable {
  day: string;
  project: string;
  source: string;
  name: string;
  failures: Generated<number>;
  /** Number of slots. */
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
  /** When its runs were determined; null while pending. */
  dispatched_at: string | null;
  /** For `afterTurn`: the run that covers it, together with other events. */
  run_id: Generated<string | null>;
}

/** A run as read. */
export type RunRow = Selectable<RunTable>;
export type TurnRow = Selectable<TurnTable>;
export type ChatRow = Omit<Selectable<ChatTable>, 'capability'> & { readonly capability: string };
export type MessageRow = Selectable<MessageTable>;

/** A run as written. */
export type NewRunRow = Insertable<RunTable>;
