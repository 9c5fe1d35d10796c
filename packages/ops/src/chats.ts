import { failure, isId, newId, type Result, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Caller, Capability, Chat, Message } from '@svc/records';
import type { NewChat, TurnOpening } from '@svc/store';
import { keeperCapability } from './capability.ts';
import type { OpsDeps, OpsSettings } from './deps.ts';
import { invalidInput, notFound, type OperationError } from './errors.ts';
import { openingMessages, readyRuntime } from './firing.ts';

type Answer<T> = Promise<Result<T, OperationError>>;

/** A chat with the newest part of its transcript. */
export interface ChatWithMessages {
  readonly chat: Chat;
  readonly messages: readonly Message[];
}

/** Working with chats. */
export interface ChatOperations {
  list(
    project: string,
    query: { includeArchived?: boolean; limit?: number; cursor?: string },
  ): Answer<{ chats: Chat[]; omittedArchived: number; next: string | null }>;
  /** `limit` newest messages (default 200, at most 1000) before the message with number `before`. */
  get(
    project: string,
    sessionId: string,
    query: { limit?: number; before?: number },
  ): Answer<ChatWithMessages>;
  /** Starts a chat as the project's keeper, with a first turn. */
  create(
    caller: Caller,
    project: string,
    chat: { prompt: string; name?: string; model?: string },
  ): Answer<Chat>;
  /** Puts a message into a chat and starts a turn for it. */
  send(caller: Caller, project: string, sessionId: string, prompt: string): Answer<Chat>;
  archive(caller: Caller, project: string, sessionId: string): Answer<{ archived: boolean }>;
  unarchive(project: string, sessionId: string): Answer<{ archived: boolean }>;
  /** Copies a chat; with a prompt the copy gets a turn. */
  fork(
    caller: Caller,
    project: string,
    sessionId: string,
    fork: { prompt?: string; name?: string; model?: string },
  ): Answer<Chat>;
}

export function createChatOperations(deps: OpsDeps, settings: OpsSettings): ChatOperations {
  const { store } = deps;
  const known = (project: string): Answer<ProjectSnapshot> => projectOf(deps, project);
  const find = async (project: string, sessionId: string): Answer<FoundChat> => {
    const snapshot = await known(project);
    if (!snapshot.ok) return snapshot;
    const detail = isId(sessionId) ? await store.chats.get(sessionId) : null;
    const here = detail !== null && detail.chat.project === project;
    return here ? success({ snapshot: snapshot.value, ...detail }) : failure(notFound('chat'));
  };
  return {
    async list(project, query) {
      const snapshot = await known(project);
      if (!snapshot.ok) return snapshot;
      const { includeArchived = false, limit = 50, cursor } = query;
      const page = cursor === undefined ? {} : { cursor };
      return success(await store.chats.list({ project, includeArchived, limit, ...page }));
    },
    async get(project, sessionId, { limit = 200, before }) {
      const found = await find(project, sessionId);
      if (!found.ok) return found;
      const messages = await store.chats.messages(sessionId, limit, before);
      return success({ chat: found.value.chat, messages });
    },
    async create(caller, project, chat) {
      const snapshot = await known(project);
      return snapshot.ok ? createChat(deps, settings, caller, snapshot.value, chat) : snapshot;
    },
    async send(_caller, project, sessionId, prompt) {
      const found = await find(project, sessionId);
      return found.ok ? sendMessage(deps, settings, found.value, prompt) : found;
    },
    async archive(caller, project, sessionId) {
      const found = await find(project, sessionId);
      if (!found.ok) return found;
      const at = deps.clock.now();
      await store.chats.archive(sessionId, caller.actor, at, caller.turnId);
      deps.changes.publish({ kind: 'chat', project, id: sessionId });
      return success({ archived: true });
    },
    async unarchive(project, sessionId) {
      const found = await find(project, sessionId);
      if (!found.ok) return found;
      await store.chats.unarchive(sessionId);
      deps.changes.publish({ kind: 'chat', project, id: sessionId });
      return success({ archived: false });
    },
    async fork(caller, project, sessionId, fork) {
      const found = await find(project, sessionId);
      return found.ok ? forkChat(deps, settings, caller, found.value, fork) : found;
    },
  };
}

interface FoundChat {
  readonly snapshot: ProjectSnapshot;
  readonly chat: Chat;
  readonly depth: number;
}

/** A project that exists, whatever the state of its file. */
export async function projectOf(deps: OpsDeps, project: string): Answer<ProjectSnapshot> {
  const snapshot = await deps.projects.snapshot(project);
  return snapshot === null ? failure(notFound('project')) : success(snapshot);
}

const NAME_LENGTH = 80;

/** A chat's name, taken from the first line of its prompt. */
function nameFrom(prompt: string): string {
  const lines = prompt.split('\n').map((text) => text.replace(/^#+\s*/, '').trim());
  const line = lines.find((text) => text !== '' && !/^(`{3,}|~{3,})/.test(text)) ?? 'Chat';
  return line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH - 1)}…` : line;
}

function blank(prompt: string): OperationError | null {
  if (prompt.trim() !== '') return null;
  return invalidInput([{ path: 'prompt', message: 'prompt must not be empty.' }]);
}

async function createChat(
  deps: OpsDeps,
  settings: OpsSettings,
  caller: Caller,
  snapshot: ProjectSnapshot,
  wish: { prompt: string; name?: string; model?: string },
): Answer<Chat> {
  const fault = blank(wish.prompt);
  if (fault !== null) return failure(fault);
  // Not knowing what the keeper may do is no reason to let it do anything.
  if (snapshot.file === null) return failure(UNREADABLE);
  const project = snapshot.file.settings;
  const runtime = await readyRuntime(deps, project.keeper.runtime ?? settings.defaultRuntime);
  if (!runtime.ok) return failure(runtime.error.error);
  const capability = keeperCapability(project, runtime.value, settings);
  const chat: NewChat = {
    sessionId: newId(),
    project: snapshot.slug,
    name: wish.name ?? nameFrom(wish.prompt),
    origin: caller.actor.kind,
    triggerName: null,
    by: caller.actor,
    capability,
    model: wish.model ?? project.keeper.model ?? null,
    runtime: runtime.value.id,
    forkedFrom: null,
    depth: caller.depth,
  };
  const target = { snapshot, sessionId: chat.sessionId, capability, depth: caller.depth };
  await begin(deps, openingFor(deps, settings, target, wish.prompt, chat));
  return readBack(deps, chat.sessionId);
}

const UNREADABLE: OperationError = {
  code: 'conflict',
  message: 'project.yaml cannot be read: mend it first.',
};

async function sendMessage(
  deps: OpsDeps,
  settings: OpsSettings,
  found: FoundChat,
  prompt: string,
): Answer<Chat> {
  const fault = blank(prompt) ?? archivedFault(found.chat);
  if (fault !== null) return failure(fault);
  const target = {
    snapshot: found.snapshot,
    sessionId: found.chat.sessionId,
    capability: found.chat.capability as Capability,
    depth: found.depth,
  };
  await begin(deps, openingFor(deps, settings, target, prompt, null));
  return readBack(deps, found.chat.sessionId);
}

function archivedFault(chat: Chat): OperationError | null {
  if (!chat.archived) return null;
  return { code: 'conflict', message: 'The chat is archived: unarchive it first.' };
}

async function forkChat(
  deps: OpsDeps,
  settings: OpsSettings,
  caller: Caller,
  found: FoundChat,
  wish: { prompt?: string; name?: string; model?: string },
): Answer<Chat> {
  const fault = wish.prompt === undefined ? null : blank(wish.prompt);
  if (fault !== null) return failure(fault);
  const { chat: source, snapshot } = found;
  const capability = source.capability as Capability;
  const chat: NewChat = {
    sessionId: newId(),
    project: source.project,
    name: wish.name ?? `${source.name} (fork)`,
    origin: 'fork',
    triggerName: null,
    by: caller.actor,
    capability,
    model: wish.model ?? source.model,
    runtime: source.runtime,
    forkedFrom: source.sessionId,
    depth: found.depth,
  };
  await deps.store.chats.fork(source.sessionId, chat, deps.clock.now());
  if (wish.prompt !== undefined) {
    const target = { snapshot, sessionId: chat.sessionId, capability, depth: found.depth };
    await begin(deps, openingFor(deps, settings, target, wish.prompt, null));
  }
  deps.changes.publish({ kind: 'chat', project: source.project, id: chat.sessionId });
  return readBack(deps, chat.sessionId);
}

function openingFor(
  deps: OpsDeps,
  settings: OpsSettings,
  target: { snapshot: ProjectSnapshot; sessionId: string; capability: Capability; depth: number },
  prompt: string,
  chat: NewChat | null,
): TurnOpening {
  return {
    turnId: newId(),
    sessionId: target.sessionId,
    project: target.snapshot.slug,
    prompt,
    context: null,
    capability: target.capability,
    depth: target.depth,
    parentTurn: null,
    timeoutMs: settings.turnTimeoutMs,
    at: deps.clock.now(),
    chat,
    run: null,
    owner: null,
    messages: openingMessages(target.capability, prompt),
  };
}

async function begin(deps: OpsDeps, opening: TurnOpening): Promise<void> {
  await deps.store.turns.open(opening);
  const { turnId: id, project, sessionId } = opening;
  deps.queue.add({ id, project, sessionId });
  deps.changes.publish({ kind: 'chat', project, id: sessionId });
}

async function readBack(deps: OpsDeps, sessionId: string): Answer<Chat> {
  const detail = await deps.store.chats.get(sessionId);
  return detail === null ? failure(notFound('chat')) : success(detail.chat);
}
