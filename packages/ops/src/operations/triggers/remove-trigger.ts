import { success } from '@svc/core';
import { validateTriggerName } from '@svc/trigger-schema';
import { exactly, flag, text } from '../../common.schema.ts';
import { editWhere } from '../../edits/trigger-file.ts';
import { defineOperation } from '../operation.ts';
import { project } from '../shared-schemas.ts';
import { CONDITION_HEADERS, CONDITIONS, conditionOf, known } from './shared.ts';

const removedTriggerSchema = {
  $id: 'RemovedTrigger',
  ...exactly({
    ok: { const: true },
    name: text,
    removed: { ...flag, description: 'false if there was none.' },
  }),
} as const;

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
    output: exactly({ removed: flag, project: text, name: text }),
  },
  async run({ services, caller, target: { slug: project } }, { name, ...conditions }) {
    if (!validateTriggerName(name).ok) return success({ removed: false, project, name });
    const target = { project, name, condition: conditionOf(conditions) };
    const dropNote = await services.changeLog.announce(caller, { project, name }, null);
    const removed = await editWhere<boolean>(services.deps, target, ({ exists }) =>
      success({ edit: exists ? { remove: name } : null, value: exists }),
    );
    if (removed.ok && removed.value) await services.arming.sync(project);
    await dropNote();
    return removed.ok ? success({ removed: removed.value, project, name }) : removed;
  },
  toReply: ({ name, removed }) => ({ body: { ok: true, name, removed } }),
});
