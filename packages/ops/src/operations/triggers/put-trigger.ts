import { failure, success } from '@svc/core';
import { definitionHash, endPause, invalidInput } from '@svc/engine';
import { effectiveRecord, triggerPutSchema, validateTriggerName } from '@svc/trigger-schema';
import { editWhere, etagOf } from '../../edits/trigger-file.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';
import { putting, validRecord } from './edits.ts';
import {
  CONDITION_HEADERS,
  CONDITIONS,
  conditionOf,
  known,
  recordReply,
  triggerAnswerSchema,
} from './shared.ts';

export const putTrigger = defineOperation({
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
  http: {
    method: 'put',
    path: '/projects/:slug/triggers/:name',
    id: 'set_trigger',
    tag: 'triggers',
    status: 200,
    etag: true,
    headers: CONDITION_HEADERS,
    body: { field: 'record', required: true },
    response: triggerAnswerSchema,
    errors: ['conflict', 'precondition_failed', 'unavailable'],
    example: { body: sample.declared, response: sample.record },
  },
  tool: null,
  async run({ services, caller, target: place }, { name, record, ...conditions }) {
    const { deps, changeLog, pauses, arming, remarks } = services;
    const { slug: project } = place;
    const named = validateTriggerName(name);
    if (!named.ok) return failure(invalidInput(named.issues));
    const valid = validRecord(services, place, record, name);
    if (!valid.ok) return failure(invalidInput(valid.issues));
    const target = { project, name, condition: conditionOf(conditions) };
    const hash = definitionHash(valid.value);
    const dropNote = await changeLog.announce(caller, { project, name }, hash);
    const put = await editWhere(deps, target, putting(name, record));
    if (!put.ok) {
      await dropNote();
      return put;
    }
    await deps.store.triggers.unbind({ project, name, hash });
    if (valid.value.enabled) await endPause(pauses, caller, { project, source: 'trigger', name });
    await arming.sync(project);
    await dropNote();
    const wire = effectiveRecord(name, project, valid.value);
    const warnings = remarks.warningsOfRecord(place, name, valid);
    return success({ record: wire, etag: etagOf(wire), created: put.value, warnings });
  },
  toReply: (result) => recordReply(result),
});
