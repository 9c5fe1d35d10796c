import type { SchemaWords } from './dialect.ts';
import { type Steps, stepOf } from './migrations.ts';

/**
 * The schema of both kinds of database before the common steps. Later changes are migrations that are written once for
 * both.
 */
function baseline(words: SchemaWords): readonly string[] {
  return [...runs(words), ...chats(words), ...triggers(words), ...alerts(words), ...others(words)];
}

const BASELINE = stepOf(baseline);

/** The first step of server databases. */
export const SERVER_STEPS: Steps = { '015_baseline': BASELINE };

/**
 * The first steps of embedded databases. Every released version has all of them, so the first creates the result of
 * all; the others remain only because databases list them.
 */
export const EMBEDDED_STEPS: Steps = {
  '001_first': BASELINE,
  ...Object.fromEntries(
    [
      '002_trigger_bounds',
      '003_session',
      '004_newest_runs',
      '005_runtimes',
      '006_events',
      '007_waiting_slots',
      '008_pausing',
      '009_cost_of_a_day',
      '010_alerts',
      '011_compact',
      '012_changes',
      '013_outcomes_by_day',
      '014_kept',
      '015_pruned_failures',
    ].map((name) => [name, { async up() {} }]),
  ),
};

function runs({ text, integer }: SchemaWords): readonly string[] {
  return [
    `create table run(
      id ${text} primary key, project ${text} not null, source ${text} not null, name ${text} not null,
      cause ${text} not null, scheduled_for ${text}, scheduled_until ${text}, slot_count ${integer} not null,
      event_id ${text}, state ${text} not null, outcome ${text}, reason ${text}, session_id ${text}, turn_id ${text},
      definition_hash ${text}, catch_up ${integer} not null default 0, late_ms ${integer}, by_kind ${text}, by_id ${text},
      claimed_at ${text} not null, started_at ${text}, ended_at ${text}, turns ${integer} not null default 0,
      tool_calls ${integer} not null default 0, denied ${text} not null default '[]', runtime ${text}, model ${text},
      cost_microusd ${integer}, tokens_in ${integer}, tokens_out ${integer}, told ${integer} not null default 0)`,
    'create index run_by_project on run(project, id)',
    `create index run_failed on run(project, source, name, id)
      where outcome in ('failed', 'timed_out', 'max_turns', 'denied', 'no_model')`,
    `create index run_missed on run(project, source, name, scheduled_until) where outcome = 'missed'`,
    'create index run_newest on run(project, source, name, id, outcome)',
    `create index run_not_succeeded on run(project, outcome, id)
      where outcome is not null and outcome <> 'succeeded'`,
    'create unique index run_of_event on run(event_id, name) where event_id is not null',
    `create unique index run_of_trigger on run(project, source, name, scheduled_for)
      where scheduled_for is not null`,
    `create index run_open on run(project, source, name) where state <> 'ended'`,
    `create index run_unopened on run(project, source, name, id, event_id)
      where state = 'queued' and turn_id is null and (cause = 'event' or reason is not null)`,
    `create index run_untold on run(id) where state = 'ended' and told = 0`,
    `create index run_with_turn on run(project, source, name) where state <> 'ended' and turn_id is not null`,
  ];
}

function chats({ text, integer, bytes, numbered, byKey }: SchemaWords): readonly string[] {
  return [
    `create table chat(
      nr ${numbered}, session_id ${text} not null unique, project ${text} not null, name ${text} not null,
      origin ${text} not null, trigger_name ${text}, by_kind ${text}, by_id ${text}, capability ${integer} not null,
      model ${text}, runtime ${text} not null, runtime_ref ${text}, forked_from ${text}, depth ${integer} not null,
      spawn_limit ${integer}, created_at ${text} not null, updated_at ${text} not null, archived_at ${text},
      archived_by ${text}, message_count ${integer} not null default 0, fork_ref ${text}, instructions_hash ${text},
      pruned_count ${integer} not null default 0, is_spoken_in ${integer} not null default 0)`,
    'create index chat_by_project on chat(project, updated_at)',
    `create table turn(
      nr ${numbered}, id ${text} not null unique, session_id ${text} not null, run_id ${text}, project ${text} not null,
      prompt ${integer} not null, context ${integer}, capability ${integer} not null, depth ${integer} not null,
      spawn_limit ${integer}, parent_turn ${text}, timeout_ms ${integer}, state ${text} not null,
      queued_at ${text} not null, started_at ${text}, ended_at ${text}, deadline_at ${text}, owner_node ${text},
      cancel_requested_at ${text}, cancel_by ${text}, outcome ${text}, reason ${text}, tokens_in ${integer},
      tokens_out ${integer}, cost_microusd ${integer}, of_event ${integer} not null default 0)`,
    `create index turn_open on turn(session_id) where state <> 'ended'`,
    `create table content(
      id ${numbered}, hash ${bytes} not null unique, refs ${integer} not null, role ${text} not null,
      kind ${text} not null, bytes ${integer} not null, body ${text} not null)`,
    `create table said(
      chat ${integer} not null, seq ${integer} not null, turn ${integer}, content ${integer} not null, call_id ${text},
      created_at ${text} not null, primary key(chat, seq))${byKey}`,
    'create index said_in_turn on said(turn)',
    `create view message as
      select chat.session_id as session_id, said.seq as seq, turn.id as turn_id, content.role as role, content.kind as kind,
        content.body as body, content.bytes as bytes, said.call_id as call_id, said.created_at as created_at
      from said join chat on chat.nr = said.chat join content on content.id = said.content
        left join turn on turn.nr = said.turn`,
    `create table event(
      id ${text} primary key, kind ${text} not null, project ${text} not null, session_id ${text}, payload ${text} not null,
      caused_by_turn ${text}, created_at ${text} not null, dispatched_at ${text}, run_id ${text})`,
    'create index event_by_dispatch on event(dispatched_at)',
    'create index event_by_project on event(project, id)',
    'create index event_of_run on event(run_id) where run_id is not null',
    'create index event_waiting on event(kind, project, id) where dispatched_at is null',
  ];
}

function triggers({ text, integer, numbered, byKey }: SchemaWords): readonly string[] {
  const named = `project ${text} not null, source ${text} not null, name ${text} not null`;
  return [
    `create table trigger_state(
      ${named}, definition_hash ${text}, schedule_hash ${text}, anchor ${text}, armed_since ${text}, cursor ${text},
      owned_session ${text}, last_run_id ${text}, consecutive_failures ${integer} not null default 0, paused_at ${text},
      paused_reason ${text}, day ${text}, fires_today ${integer} not null default 0,
      cost_today ${integer} not null default 0, guard_hash ${text}, pause_after ${integer},
      pruned_runs ${integer} not null default 0, pruned_until ${text}, pruned_id ${text}, changes_from ${text},
      pruned_success ${text}, pruned_failures ${integer} not null default 0, primary key(project, source, name))`,
    'create index trigger_paused on trigger_state(project) where paused_at is not null',
    `create table trigger_bound(
      project ${text} not null, name ${text} not null, definition_hash ${text} not null, bounds ${text} not null,
      primary key(project, name, definition_hash))`,
    `create table trigger_change(
      seq ${numbered}, id ${text} not null, at ${text} not null, project ${text}, source ${text}, name ${text},
      kind ${text} not null, by ${text}, via ${text} not null, session_id ${text}, written_at ${text}, reason ${text},
      fields ${text} not null, standing ${text}, anchor ${text})`,
    'create unique index trigger_change_id on trigger_change(id)',
    'create index trigger_change_of on trigger_change(project, source, name, seq)',
    `create table trigger_known(
      ${named}, hash ${text} not null, shown ${text}, armed_since ${text}, anchor ${text}, trouble ${text},
      primary key(project, source, name))`,
    `create table change_note(
      id ${text} primary key, node ${text} not null, project ${text} not null, name ${text} not null,
      hash ${text} not null, by ${text} not null, via ${text} not null, session_id ${text})`,
    'create index change_note_of on change_note(project)',
    `create table pruned_slot(
      ${named}, first_slot ${text} not null, last_slot ${text} not null,
      primary key(project, source, name, first_slot))${byKey}`,
    `create table usage_day(
      project ${text} not null, day ${text} not null, source ${text} not null, name ${text} not null,
      runs ${integer} not null, chat_turns ${integer} not null, tokens_in ${integer}, tokens_out ${integer},
      cost_microusd ${integer}, primary key(project, day, source, name))`,
    'create index usage_day_by_day on usage_day(day)',
    'create index usage_day_cost on usage_day(day) where cost_microusd > 0',
    `create table outcome_day(
      day ${text} not null, ${named}, failures ${integer} not null default 0, missed ${integer} not null default 0,
      skipped ${integer} not null default 0, primary key(day, project, source, name))${byKey}`,
  ];
}

function alerts({ text, integer }: SchemaWords): readonly string[] {
  return [
    `create table alert_told(
      project ${text} not null, source ${text} not null, name ${text} not null, sink ${text} not null,
      type ${text} not null, told_at ${text} not null, is_open ${integer} not null,
      primary key(project, source, name, sink, type))`,
    `create table delivery(
      id ${text} primary key, sink ${text} not null, type ${text} not null, project ${text} not null,
      name ${text} not null, run_id ${text}, body ${text} not null, attempts ${integer} not null,
      created_at ${text} not null, next_at ${text}, tried_at ${text}, ended_at ${text}, error ${text})`,
    'create index delivery_ended on delivery(ended_at)',
    'create index delivery_given_up on delivery(sink) where ended_at is not null and error is not null',
    'create index delivery_tried on delivery(sink, tried_at)',
    'create index delivery_waiting on delivery(sink, next_at) where ended_at is null',
  ];
}

function others({ text, bytes }: SchemaWords): readonly string[] {
  return [
    `create table instance(key ${text} primary key, value ${text} not null)`,
    `create table node(
      id ${text} primary key, started_at ${text} not null, heartbeat_at ${text} not null, version ${text} not null,
      serving_from ${text}, stopped_at ${text})`,
    'create index node_serving on node(serving_from) where serving_from is not null',
    `create table session(
      digest ${text} primary key, token_digest ${text} not null, created_at ${text} not null,
      expires_at ${text} not null)`,
    'create index session_by_end on session(expires_at)',
    `create table kept_arming(
      project ${text} primary key, maker ${text} not null, text_hash ${text} not null, mark ${text}, body ${text} not null)`,
    `create table kept_file(
      project ${text} primary key, maker ${text} not null, text_hash ${text} not null, body ${bytes} not null)`,
  ];
}
