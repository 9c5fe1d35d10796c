import { failure, messageOf, success } from '@svc/core';
import {
  type Answer,
  type Caller,
  curatorNow,
  type Fired,
  isUnavailable,
  type OperationError,
  sampleEvent,
  waitForRun,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import { type EventData, pauseSentence, type RunId } from '@svc/records';
import type { PausedAll } from '@svc/store';
import { exactly, flag, id, text } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import type { Services } from '../../services.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { runOf } from '../runs/shared.ts';
import { sample } from '../samples.ts';
import { project } from '../shared-schemas.ts';
import { known } from './shared.ts';

const firedTriggerSchema = {
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
} as const;

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
    output: exactly(
      {
        ran: flag,
        project: text,
        name: text,
        sessionId: text,
        runId: text,
      },
      {
        notice: text,
        outcome: text,
        reason: { type: ['string', 'null'] },
        tokensIn: intOrNull,
        tokensOut: intOrNull,
        cost: { type: ['number', 'null'] },
      },
    ),
  },
  async run({ services, caller, target, signal }, { name: key, wait_seconds: wait = 0, event }) {
    const fired = await fireNow(services, caller, target, key, event);
    if (!fired.ok) return fired;
    const { sessionId, runId } = fired.value;
    const pause = await services.pauses.reasonOf({
      project: target.slug,
      source: 'trigger',
      name: key,
    });
    const notice =
      pause === null ? {} : { notice: `The trigger is paused, but this run starts. ${pause}` };
    const { deps } = services;
    const outcome = await waitForRun(deps, { project: target.slug, runId }, wait * 1000, signal);
    const run = outcome === null ? null : await runOf(deps.store, target.slug, runId);
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

async function fireNow(
  { deps, fire, pauses, privileges }: Services,
  caller: Caller,
  project: ProjectSnapshot,
  name: string,
  data: EventData['data'] | undefined,
): Answer<Fired> {
  const refused = privileges.refusalOf(caller, project, name);
  if (refused !== null) return failure(refused);
  const pause = caller.turnId === null ? null : await pauses.all();
  if (pause !== null) return failure(notWhilePaused(pause));
  const event = data === undefined ? success(null) : sampleEvent(project, name, data);
  if (!event.ok) return event;
  const key = { project: project.slug, source: 'trigger', name } as const;
  const curator = data === undefined ? await curatorNow(deps, project, name, caller) : null;
  const { claimed, event: given } = curator ?? { claimed: null, event: event.value };
  const request = { key, cause: 'manual', claimed, caller, event: given } as const;
  return claimed === null ? fire(request) : fire(request).catch(giveUp(deps, claimed));
}

function notWhilePaused(pause: PausedAll): OperationError {
  const message = `${pauseSentence(pause)} Agents cannot fire triggers until a person resumes them.`;
  return { code: 'conflict', message };
}

// A claimed run that is never started would count as waiting.
function giveUp({ store, clock }: OpsDeps, runId: RunId) {
  return async (error: unknown): Promise<never> => {
    const reason = `It could not be started: ${messageOf(error)}`;
    const outcome = isUnavailable(error) ? 'interrupted' : 'failed';
    await store.runs.endUnstarted(runId, outcome, reason, clock.now());
    throw error;
  };
}
