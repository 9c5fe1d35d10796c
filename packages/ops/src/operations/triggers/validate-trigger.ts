import { failure, type Issue, type Result, success } from '@svc/core';
import type { Answer, OperationError } from '@svc/engine';
import { triggerPutSchema, validateTriggerName } from '@svc/trigger-schema';
import { exactly, flag, issueSchema, listOf, text, textOrNull } from '../../common.schema.ts';
import { previewWhere, type TriggerEditPreview } from '../../edits/trigger-file.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';
import { putting, validRecord } from './edits.ts';

/** The result of validating a record. */
export interface Verdict {
  readonly valid: boolean;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** The change that storing it under the given name would make; null if it cannot be stored, absent without a name. */
  readonly edit?: TriggerEditPreview | null;
}

const editSchema = {
  $id: 'TriggerEditPreview',
  ...exactly({
    before: { ...text, description: 'The current project.yaml.' },
    after: { ...text, description: 'project.yaml as a PUT would write it.' },
    etag: {
      ...textOrNull,
      description: 'Entity tag of the stored trigger, for `If-Match`; null if there is none.',
    },
  }),
} as const;

const verdictSchema = {
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
} as const;

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
  async run({ services, target: place }, { record, name }): Answer<Verdict> {
    const valid = validRecord(services, place, record, name);
    const { remarks, deps } = services;
    const verdict = valid.ok
      ? { valid: true, issues: [], warnings: remarks.warningsOfRecord(place, name, valid) }
      : { valid: false, issues: valid.issues, warnings: valid.warnings };
    if (name === undefined) return success(verdict);
    const named = validateTriggerName(name);
    if (!named.ok) return success(notValid(verdict, named.issues));
    if (!valid.ok) return success({ ...verdict, edit: null });
    const target = { project: place.slug, name };
    const preview = await previewWhere(deps, target, putting(name, record));
    return preview.ok
      ? success({ ...verdict, edit: preview.value })
      : refusedPut(verdict, preview.error);
  },
});

function notValid(verdict: Verdict, issues: readonly Issue[]): Verdict {
  return { ...verdict, valid: false, issues: [...issues, ...verdict.issues], edit: null };
}

// The record is valid, but cannot be stored for another reason.
function refusedPut(verdict: Verdict, error: OperationError): Result<Verdict, OperationError> {
  const { code, message, issues = [] } = error;
  if (code === 'not_found') return failure(error);
  if (code === 'invalid') return success(notValid(verdict, issues));
  const why = { path: '', message: `cannot be stored now: ${message}` };
  return success({ ...verdict, warnings: [...verdict.warnings, why, ...issues], edit: null });
}
