import { countEarlierOutcomes } from '../alerts/outcome-days.ts';
import { type Steps, stepOf } from '../database/migrations.ts';
import { sumUpRuns } from '../usage/usage.ts';
import { compact } from './compacting.ts';

const STATEMENTS_001: readonly string[] = [
  `create table run(
    id text primary key, slot_key text, project text not null, source text not null, name text not null,
    cause text not null, scheduled_for text, scheduled_until text, slot_count integer not null, event_id text,
    state text not null, outcome text, reason text, session_id text, turn_id text, definition_hash text,
    catch_up integer not null default 0, late_ms integer, by_kind text, by_id text, claimed_at text not null,
    started_at text, ended_at text, turns integer not null default 0, tool_calls integer not null default 0,
    denied text not null default '[]', runtime text, model text, cost_microusd integer, tokens_in integer,
    tokens_out integer)`,
  'create unique index run_slot on run(slot_key)',
  'create index run_of_trigger on run(project, source, name, scheduled_for)',
  'create index run_by_project on run(project, id)',
  `create index run_open on run(project, source, name) where state <> 'ended'`,
  `create table turn(
    id text primary key, session_id text not null, run_id text, project text not null, prompt text not null,
    context text not null, capability text not null, depth integer not null, spawn_limit integer, parent_turn text,
    timeout_ms integer, state text not null, queued_at text not null, started_at text, ended_at text,
    deadline_at text, owner_node text, cancel_requested_at text, cancel_by text, outcome text, reason text)`,
  `create index turn_open on turn(session_id) where state <> 'ended'`,
  `create table chat(
    session_id text primary key, project text not null, name text not null, origin text not null, trigger_name text,
    by_kind text, by_id text, agent_name text, capability text not null, model text, runtime text not null,
    runtime_ref text, forked_from text, depth integer not null, spawn_limit integer, created_at text not null,
    updated_at text not null, archived_at text, archived_by text, message_count integer not null default 0)`,
  'create index chat_by_project on chat(project, updated_at)',
  `create table message(
    session_id text not null, seq integer not null, turn_id text, role text not null, kind text not null,
    body text not null, bytes integer not null, created_at text not null, primary key(session_id, seq))`,
  `create table trigger_state(
    project text not null, source text not null, name text not null, definition_hash text, schedule_hash text,
    anchor text, armed_since text, cursor text, owned_session text, last_run_id text,
    consecutive_failures integer not null default 0, paused_at text, paused_reason text, day text,
    fires_today integer not null default 0, cost_today integer not null default 0,
    primary key(project, source, name))`,
  `create table event(
    id text primary key, kind text not null, project text not null, session_id text, payload text not null,
    caused_by_turn text, created_at text not null, dispatched_at text)`,
  'create index event_waiting on event(created_at) where dispatched_at is null',
  'create table instance(key text primary key, value text not null)',
  `create table node(
    id text primary key, started_at text not null, heartbeat_at text not null, version text not null)`,
];

// Bounds of the clients that stored a trigger, as long as its definition does not change.
const STATEMENTS_002: readonly string[] = [
  `create table trigger_bound(
    project text not null, name text not null, definition_hash text not null, bounds text not null,
    primary key(project, name, definition_hash))`,
];

// Sign-in sessions.
const STATEMENTS_SESSION: readonly string[] = [
  `create table session(
    digest text primary key, token_digest text not null, created_at text not null, expires_at text not null)`,
  'create index session_by_end on session(expires_at)',
];

// The newest runs of each trigger, read for all triggers of a project together, and slots missed recently in any
// project.
const STATEMENTS_004: readonly string[] = [
  'create index run_newest on run(project, source, name, id, outcome)',
  `create index run_missed on run(project, source, name, scheduled_until) where outcome = 'missed'`,
];

// Sessions of runtimes, instructions sent to agents, and usage by turn and by day.
const STATEMENTS_005: readonly string[] = [
  'alter table chat add column fork_ref text',
  'alter table chat add column instructions_hash text',
  'alter table turn add column tokens_in integer',
  'alter table turn add column tokens_out integer',
  'alter table turn add column cost_microusd integer',
  'create index message_of_turn on message(turn_id, session_id, seq)',
  `create table usage_day(
    project text not null, day text not null, source text not null, name text not null, runs integer not null,
    chat_turns integer not null, tokens_in integer, tokens_out integer, cost_microusd integer,
    primary key(project, day, source, name))`,
];

// Which turns were started by an event, and which run covers which events. Events recorded before events started
// anything are marked as done.
const STATEMENTS_006: readonly string[] = [
  'alter table turn add column of_event integer not null default 0',
  'alter table event add column run_id text',
  'update event set dispatched_at = created_at where dispatched_at is null',
  'drop index event_waiting',
  'create index event_waiting on event(kind, project, id) where dispatched_at is null',
  'create index event_by_project on event(project, id)',
  'create index event_by_dispatch on event(dispatched_at)',
  'create index event_of_run on event(run_id) where run_id is not null',
  'create index run_of_event on run(event_id) where event_id is not null',
  `create index run_unopened on run(project, source, name, id, event_id)
    where state = 'queued' and turn_id is null and cause = 'event'`,
  `create index run_with_turn on run(project, source, name) where state <> 'ended' and turn_id is not null`,
];

// Slots that wait for the run before them are found like runs of events; a waiting slot has a reason.
const STATEMENTS_007: readonly string[] = [
  'drop index run_unopened',
  `create index run_unopened on run(project, source, name, id, event_id)
    where state = 'queued' and turn_id is null and (cause = 'event' or reason is not null)`,
];

// After how many consecutive failures which definition of a trigger is paused.
const STATEMENTS_008: readonly string[] = [
  'alter table trigger_state add column guard_hash text',
  'alter table trigger_state add column pause_after integer',
  'create index trigger_paused on trigger_state(project) where paused_at is not null',
];

const STATEMENTS_009: readonly string[] = [
  'create index usage_day_cost on usage_day(day) where cost_microusd > 0',
];

// Notified run ends, and deliveries.
const STATEMENTS_010: readonly string[] = [
  'alter table run add column told integer not null default 0',
  `update run set told = 1 where state = 'ended'`,
  `create index run_untold on run(id) where state = 'ended' and told = 0`,
  `create table delivery(
    id text primary key, sink text not null, type text not null, project text not null, name text not null,
    run_id text, body text not null, attempts integer not null, created_at text not null, next_at text,
    tried_at text, ended_at text, error text)`,
  'create index delivery_waiting on delivery(sink, next_at) where ended_at is null',
  'create index delivery_tried on delivery(sink, tried_at)',
  'create index delivery_ended on delivery(ended_at)',
  'create index delivery_given_up on delivery(sink) where ended_at is not null and error is not null',
  `create table alert_told(
    project text not null, source text not null, name text not null, sink text not null, type text not null,
    told_at text not null, is_open integer not null, primary key(project, source, name, sink, type))`,
];

// Change log of triggers, their last known state, pending changes, and periods in which the service was running.
const STATEMENTS_012: readonly string[] = [
  `create table trigger_change(
    seq integer primary key, id text not null, at text not null, project text, source text, name text,
    kind text not null, by text, via text not null, session_id text, written_at text, reason text,
    fields text not null, standing text, anchor text)`,
  'create unique index trigger_change_id on trigger_change(id)',
  'create index trigger_change_of on trigger_change(project, source, name, seq)',
  `create table trigger_known(
    project text not null, source text not null, name text not null, hash text not null,
    shown text, armed_since text, anchor text, trouble text, primary key(project, source, name))`,
  `create table change_note(
    id text primary key, node text not null, project text not null, name text not null, hash text not null,
    by text not null, via text not null, session_id text)`,
  'create index change_note_of on change_note(project)',
  'alter table trigger_state add column changes_from text',
  'alter table node add column serving_from text',
  'alter table node add column stopped_at text',
  'create index node_serving on node(serving_from) where serving_from is not null',
];

// Unsuccessful outcomes by day, for digests: old runs are removed, and consecutive slots share a row.
const STATEMENTS_013: readonly string[] = [
  `create table outcome_day(
    day text not null, project text not null, source text not null, name text not null,
    failures integer not null default 0, missed integer not null default 0, skipped integer not null default 0,
    primary key(day, project, source, name)) without rowid`,
  'create index usage_day_by_day on usage_day(day)',
];

// Caches of parsed project files and of what was armed from them, and an index of unsuccessful runs.
const STATEMENTS_014: readonly string[] = [
  `create table kept_arming(
    project text primary key, maker text not null, text_hash text not null, mark text, body text not null)`,
  `create table kept_file(
    project text primary key, maker text not null, text_hash text not null, body blob not null)`,
  `create index run_not_succeeded on run(project, outcome, id)
    where outcome is not null and outcome <> 'succeeded'`,
];

// What alerts need to know about removed runs.
const STATEMENTS_015: readonly string[] = [
  'alter table trigger_state add column pruned_success text',
  'alter table trigger_state add column pruned_failures integer not null default 0',
];

/** Steps of embedded databases up to the baseline of server databases. */
export const EMBEDDED_STEPS: Steps = {
  '001_first': stepOf(STATEMENTS_001),
  '002_trigger_bounds': stepOf(STATEMENTS_002),
  '003_session': stepOf(STATEMENTS_SESSION),
  '004_newest_runs': stepOf(STATEMENTS_004),
  '005_runtimes': stepOf(STATEMENTS_005, sumUpRuns),
  '006_events': stepOf(STATEMENTS_006),
  '007_waiting_slots': stepOf(STATEMENTS_007),
  '008_pausing': stepOf(STATEMENTS_008),
  '009_cost_of_a_day': stepOf(STATEMENTS_009),
  '010_alerts': stepOf(STATEMENTS_010),
  '011_compact': { up: compact },
  '012_changes': stepOf(STATEMENTS_012),
  '013_outcomes_by_day': stepOf(STATEMENTS_013, countEarlierOutcomes),
  '014_kept': stepOf(STATEMENTS_014),
  '015_pruned_failures': stepOf(STATEMENTS_015),
};
