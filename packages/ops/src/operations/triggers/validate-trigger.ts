import type { JsonSchema } from '@svc/schema';
import { triggerPutSchema } from '@svc/trigger-schema';
import { exactly, flag, issueSchema, listOf, text, textOrNull } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';

const editSchema: JsonSchema = {
  $id: 'ForeseenEdit',
  ...exactly({
    before: { ...text, description: 'The current project.yaml.' },
    after: { ...text, description: 'project.yaml as a PUT would write it.' },
    etag: {
      ...textOrNull,
      description: 'Entity tag of the stored trigger, for `If-Match`; null if there is none.',
    },
  }),
};

const verdictSchema: JsonSchema = {
  $id: 'Verdict',
  ...exactly(
    { valid: flag, issues: listOf(issueSchema), warnings: listOf(issueSchema) },
    {
      edit: {
        anyOf: [editSchema, { type: 'null' }],
        description:
          'Present with `name`: the change of project.yaml; null if the trigger cannot be stored.',
      },
    },
  ),
};

export const validateTrigger = defineOperation({
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
  http: {
    method: 'post',
    path: '/projects/:slug/validate-trigger',
    tag: 'triggers',
    status: 200,
    query: { name: 'name' },
    body: { field: 'record', required: true },
    example: {
      body: { ...sample.declared, trigger: { type: 'schedule', cron: '0 3 * *' } },
      response: {
        valid: false,
        issues: [{ path: 'trigger.cron', message: 'must have five fields: it has 4.' }],
        warnings: [],
      },
    },
  },
  tool: null,
  run: ({ nouns, target }, { record, name: key }) => nouns.triggers.validate(target, record, key),
});
