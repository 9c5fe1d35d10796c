import { changeSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { DECISIONS } from '../nouns/why/answer.ts';
import { exactly, listOf, text, textOrNull, time, timeOrNull } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { PAGING, projectAddress } from './shared-schemas.ts';

const NAMED = {
  project: projectAddress,
  name: { type: 'string', description: 'Name of a trigger or legacy schedule.' },
  source: {
    enum: ['trigger', 'schedule'],
    description: 'Which one, if both have this name. Default: trigger.',
  },
} as const;

const whySchema: JsonSchema = {
  $id: 'Why',
  description: 'The decision about a time, who made it, and the records it is based on.',
  ...exactly({
    at: time,
    source: { enum: ['trigger', 'schedule'] },
    trigger: text,
    decision: { enum: DECISIONS },
    by: { ...text, description: 'service, file, or who made the change or requested the run.' },
    sentences: { ...listOf(text), description: 'Times are in the time zone of the trigger.' },
    slot: { ...timeOrNull, description: 'The slot in question; null if there was none.' },
    before: { ...timeOrNull, description: 'Without a slot: the previous slot.' },
    after: { ...timeOrNull, description: 'Without a slot: the next slot.' },
    runId: { ...textOrNull, description: 'The run on record; null if there is none.' },
    changes: listOf(changeSchema as JsonSchema),
  }),
};

export const whyTrigger: OperationRow<'why_trigger'> = defineOperation({
  name: 'why_trigger',
  summary: 'Explain why a trigger did or did not fire at a given time, from the records.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: {
      ...NAMED,
      at: {
        type: 'string',
        format: 'date-time',
        description:
          'Whole minutes or seconds mean that minute or second. Default: the newest slot.',
      },
    },
  },
  output: whySchema,
  tool: null,
  run: ({ nouns, target }, { name, source, at }) =>
    nouns.why.why(target, name, { source, at: at === undefined ? undefined : Date.parse(at) }),
});

export const listTriggerChanges: OperationRow<'list_trigger_changes'> = defineOperation({
  name: 'list_trigger_changes',
  summary: 'List the changes of a trigger and its file, with author and origin, newest first.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: { ...NAMED, ...PAGING },
  },
  output: {
    $id: 'TriggerChanges',
    ...exactly({ changes: listOf(changeSchema as JsonSchema), next: textOrNull }),
  },
  tool: null,
  run: ({ nouns, target }, { project: _, name, ...query }) =>
    nouns.why.changes(target, name, query),
});
