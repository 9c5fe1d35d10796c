import { success } from '@svc/core';
import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, id, listOf, text, textOrNull, time } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';

export const followChanges: OperationRow<'follow_changes'> = defineOperation({
  name: 'follow_changes',
  summary:
    'Changes as server-sent events named project, triggers, run and chat: what to fetch again. A reset event says that some were missed.',
  policy: { effect: 'reads', target: 'changes', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      project: { type: 'string', minLength: 1, description: 'Slug: only changes of this project.' },
    },
  },
  output: null,
  tool: null,
  run: async ({ nouns, target: { sees } }) =>
    success({
      subscribe: (after, on, passedOver) =>
        nouns.changes.subscribe(after, (item) => {
          if ('reset' in item || sees(item.project)) on(item);
          else passedOver(item.eventId);
        }),
    }),
});

export const readOpenApi: OperationRow<'read_openapi'> = defineOperation({
  name: 'read_openapi',
  summary: 'This document.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  tool: null,
  run: async () => success(null),
});

export const readStatus: OperationRow<'read_status'> = defineOperation({
  name: 'read_status',
  summary: 'What runs now in all projects, the turn that has run longest first.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    $id: 'Status',
    ...exactly({
      running: listOf(
        exactly({
          turnId: id,
          project: text,
          sessionId: id,
          chat: { ...text, description: 'Name of the chat.' },
          runId: { type: ['string', 'null'], format: 'uuid' },
          trigger: {
            ...textOrNull,
            description: 'Whose run it is; null for what somebody asked for in a chat.',
          },
          startedAt: time,
        }),
      ),
    }),
  },
  tool: null,
  run: async ({ nouns, target }) => success({ running: await nouns.service.running(target.slugs) }),
});

const texts = listOf(text);

const scopeSchema: JsonSchema = exactly({
  projects: texts,
  allow: texts,
  deny: texts,
  denyProjects: texts,
  maxSpawnDepth: { ...count, type: ['integer', 'null'] },
});

export const readSettings: OperationRow<'read_settings'> = defineOperation({
  name: 'read_settings',
  summary:
    'What is in force and from where, who may call /mcp and what for, and which runtimes are ready.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    $id: 'EffectiveSettings',
    ...exactly({
      settings: {
        type: 'object',
        description: 'By their names in svc.config.yaml.',
        additionalProperties: exactly({
          value: {
            type: ['string', 'number', 'boolean', 'null', 'array'],
            items: text,
            description: 'As the file would have it; never a secret.',
          },
          source: { enum: ['default', 'file', 'environment', 'flag'] },
        }),
      },
      clients: listOf(exactly({ clientId: text, scope: scopeSchema })),
      runtimes: listOf(exactly({ id: text, isDefault: flag, ready: flag, reason: textOrNull })),
    }),
  },
  tool: null,
  run: async ({ nouns }) => success(await nouns.service.settings()),
});
