import { success } from '@svc/core';
import type { JsonSchema } from '@svc/schema';
import { exactly, id, text } from '../common.schema.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { sample } from '../samples.ts';
import { objectOf, project, RESULT } from '../shared-schemas.ts';
import { known } from './shared.ts';

const firedTriggerSchema: JsonSchema = {
  $id: 'FiredTrigger',
  ...exactly(
    { ok: { const: true }, name: text, sessionId: id, runId: id },
    {
      notice: {
        ...text,
        description: 'Present if the trigger is paused: why.',
      },
    },
  ),
};

const intOrNull = { type: ['integer', 'null'] };

const LONGEST_WAIT_SECONDS = 600;

export const runTrigger = defineOperation({
  name: 'run_trigger',
  summary: 'Fire a trigger now, even if it is disabled.',
  policy: { effect: 'starts_turn', target: 'project', gate: 'hooks', runsCode: true },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: known,
      project,
      wait_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: LONGEST_WAIT_SECONDS,
        description: 'How long to wait for the end of the run. Default: 0.',
      },
      event: {
        type: 'object',
        description:
          'Event data to test an event trigger with: at most 256 KiB and 32 levels of JSON. Default: none.',
      },
    },
  },
  output: null,
  http: {
    method: 'post',
    path: '/projects/:slug/triggers/:name/run',
    tag: 'triggers',
    status: 202,
    body: { id: 'TriggerTrial', fields: ['event'], required: false },
    response: firedTriggerSchema,
    errors: ['conflict', 'run_failed', 'not_runnable'],
    example: {
      body: { event: { chat: { name: 'Fix the door', messages: 4 } } },
      response: { ok: true, name: 'nightly', sessionId: sample.SESSION_ID, runId: sample.RUN_ID },
    },
  },
  tool: {
    title: 'Fire a trigger now',
    without: ['event'],
    description:
      'Fire a trigger immediately, even if disabled, through the same path as its schedule or event. This starts a real agent turn; the schedule does not change. Refused to agents while all triggers are paused; `notice` is set if the trigger itself is paused. Returns `sessionId` and `runId` once the chat exists. With `wait_seconds`, waits up to that long and also returns `outcome` (succeeded, failed, timed_out, denied, no_model and others), `reason` (one sentence if it did not succeed, else null), `tokensIn`, `tokensOut` and `cost` in US dollars (an estimate); null means unknown. Without `outcome` the run is still in progress: follow it with read_chat or list_triggers.',
    ...STARTING,
    output: objectOf(
      {
        ran: RESULT.boolean,
        project: RESULT.text,
        name: RESULT.text,
        sessionId: RESULT.text,
        runId: RESULT.text,
        notice: RESULT.text,
        outcome: RESULT.text,
        reason: { type: ['string', 'null'] },
        tokensIn: intOrNull,
        tokensOut: intOrNull,
        cost: { type: ['number', 'null'] },
      },
      ['notice', 'outcome', 'reason', 'tokensIn', 'tokensOut', 'cost'],
    ),
  },
  async run({ nouns, caller, target, signal }, { name: key, wait_seconds: wait = 0, event }) {
    const fired = await nouns.triggers.run(caller, target, key, event);
    if (!fired.ok) return fired;
    const { sessionId, runId } = fired.value;
    const pause = await nouns.pausing.reasonOf({
      project: target.slug,
      source: 'trigger',
      name: key,
    });
    const notice = pause === null ? {} : { notice: `${pause} This run starts anyway.` };
    const outcome = await nouns.runs.outcome(target.slug, runId, wait * 1000, signal);
    const run = outcome === null ? null : await nouns.runs.get(target.slug, runId);
    const {
      reason = null,
      tokensIn = null,
      tokensOut = null,
      cost = null,
    } = run?.ok ? run.value : {};
    const ending = outcome === null ? {} : { outcome, reason, tokensIn, tokensOut, cost };
    const ran = { ran: true, project: target.slug, name: key, sessionId, runId } as const;
    return success({ ...ran, ...notice, ...ending });
  },
  toReply: ({ name, sessionId, runId, notice }) => ({
    body: { ok: true, name, sessionId, runId, ...(notice === undefined ? {} : { notice }) },
  }),
});
