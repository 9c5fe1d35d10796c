import { storableValue } from '@svc/core';
import {
  type Actor,
  actorText,
  type Capability,
  type Chat,
  type Message,
  type MessageTool,
  type Run,
  type RunNetwork,
  type RunOutcome,
} from '@svc/records';
import type { ChatRow, MessageRow, RunRow } from './schema.ts';

/** Converts a row to a run in wire form. */
export function runOf(row: RunRow): Run {
  return {
    id: row.id,
    project: row.project,
    source: row.source as Run['source'],
    trigger: row.name,
    cause: row.cause as Run['cause'],
    state: row.state as Run['state'],
    scheduledFor: row.scheduled_for,
    scheduledUntil: row.scheduled_until,
    slotCount: row.slot_count,
    claimedAt: row.claimed_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    lateMs: row.late_ms,
    outcome: row.outcome as RunOutcome | null,
    reason: row.reason,
    sessionId: row.session_id,
    turnId: row.turn_id,
    turns: Number(row.turns),
    toolCalls: Number(row.tool_calls),
    toolErrors: row.tool_errors === null ? null : Number(row.tool_errors),
    denied: kept<Run['denied']>(String(row.denied)),
    sandbox: row.sandbox as Run['sandbox'],
    network: row.network === null ? null : kept<RunNetwork>(row.network),
    runtime: row.runtime,
    model: row.model,
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    cost: row.cost_microusd === null ? null : row.cost_microusd / 1_000_000,
    by: actorOf(row.by_kind, row.by_id),
    person: personOf(row.by_kind, row.by_id),
    catchUp: row.catch_up === 1,
    eventId: row.event_id,
  };
}

/** Converts a row to a chat in wire form. */
export function chatOf(row: ChatRow & { running: number }): Chat {
  return {
    sessionId: row.session_id,
    project: row.project,
    name: row.name,
    agentName: capabilityOf(row.capability).agentName,
    by: actorOf(row.by_kind, row.by_id),
    person: personOf(row.by_kind, row.by_id),
    trigger: row.trigger_name,
    runtime: row.runtime,
    model: row.model,
    capability: capabilityOf(row.capability),
    forkedFrom: row.forked_from,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    archivedBy: row.archived_by,
    archived: row.archived_at !== null,
    running: row.running === 1,
    messageCount: row.message_count - row.pruned_count,
    prunedMessages: row.pruned_count,
  };
}

/** Parses a stored capability. */
export function capabilityOf(text: string): Capability {
  return JSON.parse(text) as Capability;
}

/** Converts a row to a message in wire form. */
export function messageOf(row: MessageRow): Message {
  const body = kept<{
    readonly text: string;
    readonly tool: Omit<MessageTool, 'callId'> | null;
    readonly by?: string;
  }>(row.body);
  return {
    seq: row.seq,
    turnId: row.turn_id,
    role: row.role as Message['role'],
    kind: row.kind as Message['kind'],
    text: body.text,
    tool: body.tool === null ? null : { callId: row.call_id ?? '', ...body.tool },
    by: body.by ?? null,
    timestamp: row.created_at,
  };
}

/** The name of a person; null for other actors, and if the sign-in mode identifies no person. */
function personOf(kind: string | null, id: string | null): string | null {
  return kind === 'user' ? id : null;
}

/** The actor in wire form. */
export function actorOf(kind: string | null, id: string | null): string | null {
  return kind === null ? null : actorText({ kind: kind as Actor['kind'], id });
}

// JSON escapes can contain unpaired surrogates, which version 0.1.0 stored.
function kept<T>(json: string): T {
  return storableValue(JSON.parse(json) as T);
}
