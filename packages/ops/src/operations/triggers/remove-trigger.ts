import { success } from '@svc/core';
import type { JsonSchema } from '@svc/schema';
import { exactly, flag, text } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { objectOf, project, RESULT } from '../shared-schemas.ts';
import { CONDITION_HEADERS, CONDITIONS, conditionOf, known } from './shared.ts';

const removedTriggerSchema: JsonSchema = {
  $id: 'RemovedTrigger',
  ...exactly({
    ok: { const: true },
    name: text,
    removed: { ...flag, description: 'false if there was none.' },
  }),
};

export const removeTrigger = defineOperation({
  name: 'remove_trigger',
  summary: 'Delete and disarm a trigger.',
  policy: { effect: 'mutates', target: 'project', gate: 'hooks', runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: { name: known, project, ...CONDITIONS },
  },
  output: null,
  http: {
    method: 'delete',
    path: '/projects/:slug/triggers/:name',
    tag: 'triggers',
    status: 200,
    headers: CONDITION_HEADERS,
    response: removedTriggerSchema,
    errors: ['conflict', 'precondition_failed', 'unavailable'],
    example: { response: { ok: true, name: 'nightly', removed: true } },
  },
  tool: {
    title: 'Delete a trigger',
    without: Object.keys(CONDITIONS),
    description:
      'Delete a trigger from project.yaml and disarm it. A running turn continues; chats and past runs are kept. To undo, create the trigger again. `removed: false` means that no trigger had this name.',
    destructive: true,
    idempotent: true,
    openWorld: false,
    output: objectOf({ removed: RESULT.boolean, project: RESULT.text, name: RESULT.text }),
  },
  async run({ nouns, caller, target }, { name: key, ...conditions }) {
    const removed = await nouns.triggers.remove(caller, target, key, conditionOf(conditions));
    if (!removed.ok) return removed;
    return success({ removed: removed.value.removed, project: target.slug, name: key });
  },
  toReply: ({ name, removed }) => ({ body: { ok: true, name, removed } }),
});
