import { TurnStop } from '@svc/agent-runtime';
import { isoTime, success } from '@svc/core';
import { type Caller, cancelTurn, endingWith, endTurn, originOf, type Pauses } from '@svc/engine';
import { pauseSentence } from '@svc/records';
import type { PausedAll } from '@svc/store';
import { count, exactly, text } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { nameOf, pausedSchema, publishTriggers } from './shared.ts';

export const pauseAll = defineOperation({
  name: 'pause_all',
  summary:
    'Pause all triggers: slots and events are recorded as skipped_paused. Run now and chats still work.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      reason: {
        type: 'string',
        maxLength: 500,
        description: 'Reason, in one line, visible to all users. Default: none.',
      },
      stopRunning: {
        type: 'boolean',
        description: 'Whether to cancel running turns of triggers. Default: false.',
      },
    },
  },
  output: {
    $id: 'PausedNow',
    ...exactly({
      paused: pausedSchema,
      replaced: {
        anyOf: [pausedSchema, { type: 'null' }],
        description: 'The pause that was replaced; null if there was none.',
      },
      servers: { ...count, description: 'Number of servers it applies to.' },
      answeredBy: { ...text, description: 'Id of the server that answered.' },
      stopped: { ...count, description: 'Number of trigger turns being cancelled.' },
    }),
  },
  http: {
    method: 'post',
    path: '/pause',
    tag: 'service',
    status: 200,
    body: { id: 'PauseWish', fields: ['reason', 'stopRunning'], required: false },
    example: {
      body: { reason: 'The wiki moves to another host.', stopRunning: true },
      response: {
        paused: { by: 'anna', at: sample.SLOT, reason: 'The wiki moves to another host.' },
        replaced: null,
        servers: 1,
        answeredBy: sample.atlas.id,
        stopped: 1,
      },
    },
  },
  tool: null,
  async run({ services, caller }, { reason, stopRunning = false }) {
    const { deps, pauses, redactor, members } = services;
    const why = oneLine(redactor.text(reason ?? ''));
    const pause = { by: nameOf(caller), at: isoTime(deps.clock.now()), reason: why };
    const replaced = await pauses.all();
    await pauses.set(pause, originOf(caller));
    deps.observer?.paused?.();
    deps.logger.warn({ by: pause.by, reason: why }, 'all triggers paused');
    await skipQueued(deps, pauses);
    const stopped = stopRunning ? await stopRuns(deps, caller, pause) : 0;
    await publishTriggers(deps);
    const servers = Math.max(1, members.size);
    return success({ paused: pause, replaced, stopped, servers, answeredBy: deps.store.nodeId });
  },
});

function oneLine(text: string): string | null {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line === '' ? null : line;
}

// Otherwise queued runs would start after the pause, long after their scheduled time.
async function skipQueued(deps: OpsDeps, pauses: Pauses): Promise<void> {
  for (const { id } of await deps.store.turns.queued()) {
    const turn = await deps.store.turns.get(id);
    const reason = turn === null ? null : await pauses.reasonOfTurn(turn);
    if (turn === null || reason === null) continue;
    if ((await deps.queue.cancel(id, new TurnStop('cancelled', reason))) !== 'removed') continue;
    await endTurn(deps, turn, endingWith('skipped_paused', reason));
  }
}

async function stopRuns(deps: OpsDeps, caller: Caller, pause: PausedAll): Promise<number> {
  let stopped = 0;
  for (const id of await deps.store.turns.ofTriggers()) {
    await cancelTurn(deps, caller, id, pauseSentence(pause));
    stopped += 1;
  }
  return stopped;
}
