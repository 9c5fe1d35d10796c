import { EVENTS, PERMISSION_MODES, TRIGGER_TYPES } from '@svc/records';

const text = { type: ['string', 'null'] } as const;
const whole = { type: ['integer', 'null'] } as const;

/**
 * JSON Schema (draft 2020-12) of a trigger as it is sent, for documentation: `validateTrigger` is the check, since it
 * names every fault in words. `null` stands for an absent field; read-only fields of an answer are ignored.
 */
export const triggerPutSchema = {
  $id: 'TriggerPut',
  type: 'object',
  description: 'A full trigger; read-only fields of an answer are ignored.',
  required: ['trigger'],
  properties: {
    trigger: {
      type: 'object',
      description: 'When it fires. A schedule has exactly one of `cron` and `interval`.',
      required: ['type'],
      properties: {
        type: { enum: TRIGGER_TYPES },
        cron: text,
        interval: text,
        timezone: text,
        on: { enum: [...EVENTS, null] },
      },
    },
    run: {
      type: ['object', 'null'],
      description: 'What it runs: exactly one of `prompt` and `promptFile`.',
      properties: {
        prompt: text,
        promptFile: text,
        session: { enum: ['new', 'resume', null], default: 'new' },
        tools: { type: ['array', 'null'], items: { type: 'string' }, maxItems: 200, default: [] },
        model: { ...text, maxLength: 200 },
        permissionMode: { enum: [...PERMISSION_MODES, null] },
        maxTurns: { ...whole, minimum: 1, default: 30 },
        maxSpawnDepth: { ...whole, minimum: 0 },
        timeout: text,
        runtime: text,
      },
    },
    enabled: { type: ['boolean', 'null'], default: false },
    policy: {
      type: ['object', 'null'],
      properties: {
        overlap: { enum: ['skip', null], default: 'skip' },
        catchUp: { enum: ['none', 'latest', null], default: 'latest' },
        catchUpWindow: text,
      },
    },
  },
} as const;
