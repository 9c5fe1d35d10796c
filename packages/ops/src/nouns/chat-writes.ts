import { failure, newId, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Capability, Chat } from '@svc/records';
import type { NewChat, TurnOpening } from '@svc/store';
import { bounded, type Caller, startedDepth, startedLimit, withoutBudgets } from '../caller.ts';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import { type Answer, notFound, type OperationError } from '../errors.ts';
import type { Archiving } from '../results.ts';
import type { ChatWish, ChatWrites, ForkWish, FoundChat } from '../work.ts';
import { keeperCapability } from './capability.ts';
import { blank, nameFrom, wishFault } from './chat-wishes.ts';
import { costLimitsOf, createDailyCost } from './daily-cost.ts';
import { instructionsFor } from './instructions.ts';
import { openingMessages } from './opening-messages.ts';
import { readyRuntime, runtimeIdFor } from './ready-runtime.ts';
import { capabilityFault } from './runtime-limits.ts';
import { noteSpent } from './spent-limit.ts';

export function createChatWrites(deps: OpsDeps, settings: WorkSettings): ChatWrites {
  return {
    create: (caller, project, wish) => createChat(deps, settings, caller, project, wish),
    send: (caller, chat, prompt) => sendMessage(deps, settings, caller, chat, prompt),
    fork: (caller, chat, wishes) => forkChats(deps, settings, caller, chat, wishes),
    archive: (caller, chat) => archiveChat(deps, caller, chat),
    unarchive: (chat) => unarchiveChat(deps, chat),
  };
}

async function createChat(
  deps: OpsDeps,
  settings: WorkSettings,
  caller: Caller,
  snapshot: ProjectSnapshot,
  wish: ChatWish,
): Answer<Chat> {
  const fault = wishFault(wish);
  if (fault !== null) return failure(fault);
  // If the capability of the keeper is unknown, it must not run.
  if (snapshot.file === null) return failure(UNREADABLE);
  const project = snapshot.file.settings;
  const model = wish.model ?? project.keeper.model ?? null;
  const runtime = await readyRuntime(deps, runtimeIdFor(null, project, settings), model);
  if (!runtime.ok) return runtime;
  const capability = bounded(caller, keeperCapability(project, runtime.value, settings, caller));
  const unheld = capabilityFault(capability, runtime.value);
  if (unheld !== null) return failure({ code: 'run_failed', message: unheld });
  const asked = { project: snapshot.slug, runtime: runtime.value.id, model, capability };
  const spent = await spentFault(deps, settings, snapshot, [asked]);
  if (spent !== null) return failure(spent);
  const depth = startedDepth(caller, 0);
  const chat: NewChat = {
    sessionId: newId(),
    project: snapshot.slug,
    name: wish.name ?? nameFrom(wish.prompt),
    origin: caller.actor.kind,
    triggerName: null,
    by: caller.actor,
    capability,
    model,
    runtime: runtime.value.id,
    forkedFrom: null,
    depth,
    instructions: instructionsFor(capability, project),
  };
  const { sessionId } = chat;
  const on = { runtime: chat.runtime, model };
  const target = { project: snapshot.slug, sessionId, capability, depth, on };
  await begin(deps, [openingFor(deps, settings, caller, target, wish.prompt, chat)]);
  return readBack(deps, chat.sessionId);
}

const UNREADABLE: OperationError = {
  code: 'conflict',
  message: 'project.yaml cannot be read. Fix it first.',
};

async function sendMessage(
  deps: OpsDeps,
  settings: WorkSettings,
  caller: Caller,
  found: FoundChat,
  prompt: string,
): Answer<Chat> {
  const { chat, snapshot } = found;
  const capability = continued(caller, chat);
  const fault =
    blank(prompt) ??
    archivedFault(chat) ??
    (await spentFault(deps, settings, snapshot, [{ ...chat, capability }]));
  if (fault !== null) return failure(fault);
  const target = {
    project: chat.project,
    sessionId: chat.sessionId,
    capability,
    on: chat,
    depth: startedDepth(caller, found.depth),
  };
  await begin(deps, [openingFor(deps, settings, caller, target, prompt, null)]);
  return readBack(deps, chat.sessionId);
}

async function forkChats(
  deps: OpsDeps,
  settings: WorkSettings,
  caller: Caller,
  found: FoundChat,
  wishes: readonly ForkWish[],
): Answer<Chat[]> {
  const { chat: source } = found;
  for (const wish of wishes) {
    const fault = wishFault(wish);
    if (fault !== null) return failure(fault);
  }
  const capability = continued(caller, source);
  const depth = startedDepth(caller, found.depth);
  const at = deps.clock.now();
  const forks = wishes.map(({ prompt, name, model }) => {
    const chat: NewChat = {
      sessionId: newId(),
      project: source.project,
      name: name ?? `${source.name} (fork)`,
      origin: 'fork',
      triggerName: null,
      by: caller.actor,
      capability,
      model: model ?? source.model,
      runtime: source.runtime,
      forkedFrom: source.sessionId,
      depth,
    };
    const { project, sessionId } = chat;
    const target = { project, sessionId, capability, depth, on: chat };
    const opening =
      prompt === undefined ? null : openingFor(deps, settings, caller, target, prompt, chat);
    return { chat, opening };
  });
  const asking = forks.flatMap(({ chat, opening }) => (opening === null ? [] : [chat]));
  const spent = await spentFault(deps, settings, found.snapshot, asking);
  if (spent !== null) return failure(spent);
  const silent = forks.filter(({ opening }) => opening === null);
  for (const { chat } of silent) await deps.store.chats.fork(source.sessionId, chat, at);
  await begin(
    deps,
    forks.flatMap(({ opening }) => opening ?? []),
  );
  const chats: Chat[] = [];
  for (const { chat } of forks) {
    deps.changes.publish({ kind: 'chat', project: source.project, id: chat.sessionId });
    const read = await readBack(deps, chat.sessionId);
    if (!read.ok) return read;
    chats.push(read.value);
  }
  return success(chats);
}

async function archiveChat(deps: OpsDeps, caller: Caller, { chat }: FoundChat): Promise<Archiving> {
  const { sessionId, project } = chat;
  const at = deps.clock.now();
  const isNew = await deps.store.chats.archive(sessionId, caller.actor, at, caller.turnId);
  deps.changes.publish({ kind: 'chat', project, id: sessionId });
  if (isNew) deps.changes.publish({ kind: 'event', project, id: null });
  return { archived: true, project, sessionId };
}

async function unarchiveChat(deps: OpsDeps, { chat }: FoundChat): Promise<Archiving> {
  const { sessionId, project } = chat;
  await deps.store.chats.unarchive(sessionId);
  deps.changes.publish({ kind: 'chat', project, id: sessionId });
  return { archived: false, project, sessionId };
}

function archivedFault(chat: Chat): OperationError | null {
  if (!chat.archived) return null;
  return { code: 'conflict', message: 'The chat is archived. Unarchive it first.' };
}

// The limit covers every turn that costs something, for any caller.
async function spentFault(
  deps: OpsDeps,
  settings: WorkSettings,
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
function continued(caller: Caller, chat: Chat): Capability {
  const capability = caller.turnId === null ? withoutBudgets(chat.capability) : chat.capability;
  const { maxSpawnDepth: limit } = capability;
  return bounded(caller, { ...capability, maxSpawnDepth: startedLimit(caller, limit, limit) });
}

interface TurnTarget {
  readonly project: string;
  readonly sessionId: string;
  readonly capability: Capability;
  readonly depth: number;
  readonly on: Pick<Chat, 'runtime' | 'model'>;
}

function openingFor(
  deps: OpsDeps,
  settings: WorkSettings,
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

async function begin(deps: OpsDeps, openings: readonly TurnOpening[]): Promise<void> {
  await deps.store.turns.openAll(openings);
  for (const { turnId: id, project, sessionId } of openings) {
    deps.queue.add({ id, project, sessionId });
    deps.changes.publish({ kind: 'chat', project, id: sessionId });
  }
}

async function readBack(deps: OpsDeps, sessionId: string): Answer<Chat> {
  const detail = await deps.store.chats.get(sessionId);
  return detail === null ? failure(notFound('chat')) : success(detail.chat);
}
