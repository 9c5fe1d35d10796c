import { TurnStop } from '@svc/agent-runtime';
import { failure, isoTime, success } from '@svc/core';
import type { Slug, TriggerKey } from '@svc/records';
import type { PausedAll } from '@svc/store';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import type { PausingWork } from '../work.ts';
import { cancelTurn } from './cancelling.ts';
import { originOf } from './change-origin.ts';
import { noTrigger } from './no-trigger.ts';
import type { NounParts } from './parts.ts';
import { type Pauses, pauseSentence } from './pauses.ts';
import { endingWith, endTurn } from './turn-end.ts';

type PausingParts = Pick<
  NounParts,
  'pauses' | 'redactor' | 'scheduler' | 'arming' | 'changeLog' | 'members'
>;

/** Pauses and resumes all triggers, and resumes single triggers. */
export function createPausingWork(
  deps: OpsDeps,
  { pauses, redactor, scheduler, arming, changeLog, members }: PausingParts,
): PausingWork {
  const { clock, logger, projects, store } = deps;
  const tell = (project: Slug): void =>
    deps.changes.publish({ kind: 'triggers', project, id: null });
  const tellAll = async (): Promise<void> => {
    for (const project of await projects.list()) tell(project);
  };
  const tellWentOn = async (key: TriggerKey, caller: Caller): Promise<void> => {
    const origin = originOf(caller);
    await changeLog.wentOn(key, origin);
    const { project, name } = key;
    logger.warn(
      { project, trigger: name, by: origin.by },
      'trigger resumed after clock was set back',
    );
    tell(project);
  };
  return {
    all: () => pauses.all(),
    async pause(caller, { reason, stopRunning }) {
      const why = oneLine(redactor.text(reason ?? ''));
      const pause = { by: nameOf(caller), at: isoTime(clock.now()), reason: why };
      const replaced = await pauses.all();
      await pauses.set(pause, originOf(caller));
      deps.observer?.paused?.();
      logger.warn({ by: pause.by, reason: why }, 'all triggers paused');
      await skipWaiting(deps, pauses);
      const stopped = stopRunning ? await stopRuns(deps, caller, pause) : 0;
      await tellAll();
      const servers = Math.max(1, members.size);
      return success({ paused: pause, replaced, stopped, servers, answeredBy: store.nodeId });
    },
    async resume(caller) {
      const was = await pauses.all();
      await pauses.set(null, originOf(caller));
      if (was !== null) logger.warn({ by: nameOf(caller) }, 'all triggers resumed');
      await tellAll();
      return success({ paused: null });
    },
    async resumeTrigger(caller, project, name) {
      if (project.file === null || !project.file.triggers.has(name)) {
        return failure(noTrigger(project, { name, source: 'trigger' }));
      }
      const key: TriggerKey = { project: project.slug, source: 'trigger', name };
      const resumed = await pauses.resume(key, originOf(caller));
      const wentOn = await arming.during(key.project, async () => {
        const isRestarted = await scheduler.restartGrid(key);
        if (isRestarted) await tellWentOn(key, caller);
        return isRestarted;
      });
      return success({ resumed: resumed || wentOn, project: project.slug, name });
    },
    reasonOf: (key) => pauses.reasonOf(key),
  };
}

function nameOf({ actor }: Caller): string {
  return actor.id ?? actor.kind;
}

function oneLine(text: string): string | null {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line === '' ? null : line;
}

// Otherwise queued runs would start after the pause, long after their scheduled time.
async function skipWaiting(deps: OpsDeps, pauses: Pauses): Promise<void> {
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
