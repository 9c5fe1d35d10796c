import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, listOf, text, textOrNull, time } from '../common.schema.ts';

export const tryFields = { at: time, ok: flag, error: textOrNull };

export const pausedSchema: JsonSchema = {
  $id: 'PausedAll',
  description: 'The pause of all triggers: since when, by whom and why.',
  ...exactly({
    by: { ...text, description: 'Name of the person; `user` if users are not identified.' },
    at: time,
    reason: textOrNull,
  }),
};

export const texts = listOf(text);

export const nodeSchema: JsonSchema = {
  $id: 'ServiceNode',
  ...exactly({
    id: text,
    host: { ...text, description: 'Host name.' },
    version: text,
    startedAt: time,
    heartbeatAt: { ...time, description: 'Time of its last heartbeat.' },
    running: { ...count, description: 'Number of running turns.' },
  }),
};
