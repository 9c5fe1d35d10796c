import { success } from '@svc/core';
import { changeSchema } from '@svc/records';
import { exactly, listOf, textOrNull } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { PAGING } from '../shared-schemas.ts';
import { NAMED, recordedKey } from './shared.ts';

export const listTriggerChanges = defineOperation({
  name: 'list_trigger_changes',
  summary: 'List the changes to a trigger and its file, with author and origin, newest first.',
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
    ...exactly({ changes: listOf(changeSchema), next: textOrNull }),
  },
  http: {
    method: 'get',
    path: '/projects/:slug/triggers/:name/changes',
    tag: 'runs',
    status: 200,
    query: { source: 'source', limit: 'limit', cursor: 'cursor' },
    example: { response: { changes: [sample.disabledChange], next: null } },
  },
  tool: null,
  async run({ services: { deps }, target }, { project: _, name, source, limit = 50, cursor }) {
    const key = await recordedKey(deps, target, name, source);
    return key.ok ? success(await deps.store.changes.page(key.value, { limit, cursor })) : key;
  },
});
