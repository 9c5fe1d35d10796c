import { messageOf } from '@svc/core';
import type { Slug, TriggerKey } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import { catchUpWindowOf, definitionOf, startDelayOf } from './definition.ts';
import type { FireTrigger } from './parts.ts';
import { reportEnd } from './run-report.ts';
import { endingWith, endTurn } from './turn-end.ts';

const EARLY = 'The service stopped before it was started.';
const LATE = 'The service was not running, and it came back too late to make up for this slot.';

/**
 * Brings order into what an earlier life of the service left behind: ends leftover processes, then marks their turns
 * as interrupted and sweeps their projects of half-written files (which goes on in the background), hands waiting turns to the queue, and starts or gives up what was claimed but never started.
 */
export async function recover(deps: OpsDeps, fire: FireTrigger): Promise<void> {
  await endInterrupted(deps);
  await requeueWaiting(deps);
  for (const run of await deps.store.runs.unstarted()) {
    const { key, id, cause } = run;
    if (cause === 'manual') {
      const ended = await deps.store.runs.endUnstarted(id, 'interrupted', EARLY, deps.clock.now());
      await reportEnd(deps, key.project, ended);
    } else if (await isInWindow(deps, key, run.scheduledFor)) {
      await fire({ key, cause: 'schedule', claimed: id, caller: null });
    } else {
      const ended = await deps.store.runs.endUnstarted(id, 'missed', LATE, deps.clock.now());
      await reportEnd(deps, key.project, ended);
    }
  }
}

async function endInterrupted(deps: OpsDeps): Promise<void> {
  const left = await deps.store.turns.running();
  if (left.length === 0) return;
  const { ended } = await deps.reaper.endTurns(left.map((turn) => turn.id));
  deps.logger.warn({ turns: left.length, processes: ended }, 'turns of an earlier life were ended');
  const projects = new Set<Slug>();
  for (const { id } of left) {
    const turn = await deps.store.turns.get(id);
    if (turn === null) continue;
    projects.add(turn.project);
    const ending = endingWith('interrupted', 'The service stopped while it was running.');
    // Each tool call took a model call of its own at least; more than that nobody knows any more.
    const toolCalls = await deps.store.turns.toolCalls(id);
    await endTurn(deps, turn, { ...ending, turns: toolCalls, toolCalls, model: turn.model });
  }
  void sweepProjects(deps, projects, deps.clock.now());
}

async function sweepProjects(
  deps: OpsDeps,
  projects: Iterable<Slug>,
  before: number,
): Promise<void> {
  for (const project of projects) {
    try {
      const snapshot = await deps.projects.snapshot(project);
      if (snapshot !== null) await deps.sweep?.(snapshot.folder, before);
    } catch (error) {
      deps.logger.warn(
        { project, error: messageOf(error) },
        'half-written files could not be swept',
      );
    }
  }
}

async function requeueWaiting(deps: OpsDeps): Promise<void> {
  for (const ticket of await deps.store.turns.queued()) {
    const turn = await deps.store.turns.get(ticket.id);
    const run = turn?.runId == null ? null : await deps.store.runs.get(ticket.project, turn.runId);
    const slot = run?.scheduledFor ?? null;
    const key =
      run === null ? null : { project: run.project, source: run.source, name: run.trigger };
    // One whose slot is still to come was started while the clock was ahead.
    const hasPassed = slot !== null && Date.parse(slot) <= deps.clock.now();
    const late = hasPassed && key !== null && !(await isInWindow(deps, key, Date.parse(slot)));
    if (turn !== null && late) await endTurn(deps, turn, endingWith('missed', LATE));
    else deps.queue.add(ticket);
  }
}

async function isInWindow(deps: OpsDeps, key: TriggerKey, slot: number): Promise<boolean> {
  const snapshot = await deps.projects.snapshot(key.project);
  const definition = snapshot?.file ? definitionOf(snapshot.file, key) : null;
  // Of a trigger that is gone or disabled by now nothing is made up for; firing says so in the run.
  if (definition === null || definition.catchUp === 'none') return definition === null;
  return deps.clock.now() - slot - startDelayOf(definition) < catchUpWindowOf(definition);
}
