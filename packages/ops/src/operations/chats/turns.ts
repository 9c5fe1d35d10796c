import { failure, newId, success } from '@svc/core';
import {
  type Answer,
  bounded,
  type Caller,
  costLimitsOf,
  createDailyCost,
  type EngineSettings,
  noteSpent,
  notFound,
  type OperationError,
  openingMessages,
  startedLimit,
  withoutBudgets,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import type { Capability, Chat } from '@svc/records';
import type { NewChat, TurnOpening } from '@svc/store';
import type { OpsDeps } from '../../deps.ts';

// The limit covers every turn that costs something, for any caller.
export async function spentFault(
  deps: OpsDeps,
  settings: EngineSettings,
  { file }: Pick<ProjectSnapshot, 'file'>,
  chats: readonly Pick<Chat, 'project' | 'runtime' | 'model' | 'capability'>[],
): Promise<OperationError | null> {
  const cost = createDailyCost(deps, settings);
  for (const { project, runtime, model, capability } of chats) {
    const limits = costLimitsOf(project, file?.settings ?? null, capability);
    const spent = await cost.refusal(deps.runtimes.get(runtime), model, limits);
    if (spent === null) continue;
    await noteSpent(deps, spent, null);
    return { code: 'conflict', message: spent.message };
  }
  return null;
}

// A chat keeps its capability, limited to what the caller may do.
export function continued(caller: Caller, chat: Chat): Capability {
  const capability = caller.turnId === null ? withoutBudgets(chat.capability) : chat.capability;
  const { maxSpawnDepth: limit } = capability;
  return bounded(caller, { ...capability, maxSpawnDepth: startedLimit(caller, limit, limit) });
}

export interface TurnTarget {
  readonly project: string;
  readonly sessionId: string;
  readonly capability: Capability;
  readonly depth: number;
  readonly on: Pick<Chat, 'runtime' | 'model'>;
}

export function openingFor(
  deps: OpsDeps,
  settings: EngineSettings,
  caller: Caller,
  { on, ...target }: TurnTarget,
  prompt: string,
  chat: NewChat | null,
): TurnOpening {
  return {
    turnId: newId(),
    ...target,
    prompt,
    parentTurn: caller.turnId,
    timeoutMs: settings.turnTimeoutMs,
    at: deps.clock.now(),
    chat,
    run: null,
    owner: null,
    messages: openingMessages(settings.toolPolicy, {
      capability: target.capability,
      runtime: deps.runtimes.get(on.runtime),
      model: on.model,
      instructions: chat?.instructions ?? null,
      prompt,
      by: caller.actor,
    }),
  };
}

export async function begin(deps: OpsDeps, openings: readonly TurnOpening[]): Promise<void> {
  await deps.store.turns.openAll(openings);
  for (const { turnId: id, project, sessionId } of openings) {
    deps.queue.add({ id, project, sessionId });
    deps.changes.publish({ kind: 'chat', project, id: sessionId });
  }
}

export async function readBack(deps: OpsDeps, sessionId: string): Answer<Chat> {
  const detail = await deps.store.chats.get(sessionId);
  return detail === null ? failure(notFound('chat')) : success(detail.chat);
}
