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
    description: 'Which of the two, where both have that name. Default: trigger.',
  },
} as const;

const whySchema: JsonSchema = {
  $id: 'Why',
  description: 'What was decided about an instant and by whom, with the rows that this rests on.',
  ...exactly({
    at: time,
    source: { enum: ['trigger', 'schedule'] },
    trigger: text,
    decision: { enum: DECISIONS },
    by: { ...text, description: 'service, file, or whoever made the change or asked for the run.' },
    sentences: { ...listOf(text), description: 'Times are those of the zone of the trigger.' },
    slot: { ...timeOrNull, description: 'The slot that it is about; null where there was none.' },
    before: { ...timeOrNull, description: 'Without a slot: the one before.' },
    after: { ...timeOrNull, description: 'Without a slot: the one after.' },
    runId: { ...textOrNull, description: 'The run that says so; null where none does.' },
    changes: listOf(changeSchema as JsonSchema),
  }),
};

export const whyTrigger: OperationRow<'why_trigger'> = defineOperation({
  name: 'why_trigger',
  summary: 'What was decided about an instant of a trigger and by whom, from records alone.',
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
          'In whole minutes or seconds it means that minute or second. Default: the newest slot.',
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
  summary: 'What became of a trigger and of its file, by whom and from where, newest first.',
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
