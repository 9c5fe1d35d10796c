import { isoTime } from '@svc/core';
import type { Caller } from '@svc/engine';
import type { AlertStanding } from '../../alerting.ts';
import { count, exactly, text, textOrNull, time } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';

export const pausedSchema = {
  $id: 'PausedAll',
  description: 'The pause of all triggers: since when, by whom and why.',
  ...exactly({
    by: { ...text, description: 'Name of the person; `user` if users are not identified.' },
    at: time,
    reason: textOrNull,
  }),
} as const;

export const nodeSchema = {
  $id: 'ServiceNode',
  ...exactly({
    id: text,
    host: { ...text, description: 'Host name.' },
    version: text,
    startedAt: time,
    heartbeatAt: { ...time, description: 'Time of its last heartbeat.' },
    running: { ...count, description: 'Number of running turns.' },
  }),
} as const;

/** Alert sinks with their delivery state; empty without alerts. */
export async function alertStanding({ alerts }: Pick<OpsDeps, 'alerts'>): Promise<AlertStanding> {
  return (await alerts?.standing()) ?? { sinks: [], heartbeat: null };
}

/** Live servers, oldest first. */
export async function serversOf(deps: OpsDeps) {
  const { clock, queue, store } = deps;
  const own = { heartbeatAt: isoTime(clock.now()), running: queue.running };
  const nodes = await store.nodes.list();
  return nodes.map(({ id, host, version, startedAt, heartbeatAt, running }) => ({
    ...{ id, version, startedAt, heartbeatAt, running },
    host: host ?? deps.host ?? 'localhost',
    ...(id === store.nodeId ? own : {}),
  }));
}

/** The name of a caller in a pause. */
export function nameOf({ actor }: Caller): string {
  return actor.id ?? actor.kind;
}

/** Publishes that the triggers of all projects may have changed. */
export async function publishTriggers({ projects, changes }: OpsDeps): Promise<void> {
  for (const project of await projects.list()) {
    changes.publish({ kind: 'triggers', project, id: null });
  }
}
