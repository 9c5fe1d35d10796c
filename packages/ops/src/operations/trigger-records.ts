import { success } from '@svc/core';
import { triggerPutSchema } from '@svc/trigger-schema';
import { CHOICES } from '../nouns/trigger-list.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { ofProject, projectAddress } from './shared-schemas.ts';
import { runtimeSchema, triggerListSchema, verdictSchema } from './trigger-answers.schema.ts';
import { CONDITIONS, conditionOf, known } from './trigger-arguments.ts';

export const listTriggerRecords: OperationRow<'list_trigger_records'> = defineOperation({
  name: 'list_trigger_records',
  summary: 'List the triggers of a project, and the choices for creating one.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: triggerListSchema,
  tool: null,
  run: async ({ nouns, target, tools }) =>
    success({ ...(await nouns.triggers.list(target)), catalog: { ...CHOICES, tools } }),
});

export const readTrigger: OperationRow<'read_trigger'> = defineOperation({
  name: 'read_trigger',
  summary: 'Get a trigger. The response can be sent back with PUT.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: { project: projectAddress, name: known },
  },
  output: null,
  tool: null,
  run: ({ nouns, target }, { name: key }) => nouns.triggers.get(target, key),
});

export const readTriggerRuntime: OperationRow<'read_trigger_runtime'> = defineOperation({
  name: 'read_trigger_runtime',
  summary: 'Get the armed state and next fire of triggers and legacy schedules. Cheap to poll.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: runtimeSchema,
  tool: null,
  run: async ({ nouns, target }) => success({ runtime: await nouns.triggers.states(target) }),
});

export const putTrigger: OperationRow<'put_trigger'> = defineOperation({
  name: 'put_trigger',
  summary: 'Create or replace a trigger. If `enabled` is absent, it is false.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: true },
  subject: 'name',
  checksItself: ['record'],
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name', 'record'],
    properties: { project: projectAddress, name: known, record: triggerPutSchema, ...CONDITIONS },
  },
  output: null,
  tool: null,
  run: ({ nouns, caller, target }, { name: key, record, ...conditions }) =>
    nouns.triggers.put(caller, target, key, record, conditionOf(conditions)),
});

export const validateTrigger: OperationRow<'validate_trigger'> = defineOperation({
  name: 'validate_trigger',
  summary:
    'Validate a trigger without storing it. With a name, return what storing it would change.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  checksItself: ['record'],
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'record'],
    properties: {
      project: projectAddress,
      name: {
        type: 'string',
        description: 'Name of the trigger: `edit` then shows what storing it would change.',
      },
      record: triggerPutSchema,
    },
  },
  output: verdictSchema,
  tool: null,
  run: ({ nouns, target }, { record, name: key }) => nouns.triggers.validate(target, record, key),
});
