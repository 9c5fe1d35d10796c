import { failure, newId, success } from '@svc/core';
import { type Answer, type Caller, startedDepth } from '@svc/engine';
import type { Chat } from '@svc/records';
import type { NewChat } from '@svc/store';
import type { Services } from '../../services.ts';
import type { FoundChat } from '../operation.ts';
import { type ChatRequest, requestFault } from './request.ts';
import { begin, continued, openingFor, readBack, spentFault } from './turns.ts';

/** Copies a chat once per request and starts the turns: all or none. A request without a prompt starts no turn. */
export async function forkChats(
  { deps, settings }: Pick<Services, 'deps' | 'settings'>,
  caller: Caller,
  found: FoundChat,
  requests: readonly Partial<ChatRequest>[],
): Answer<Chat[]> {
  const { chat: source } = found;
  for (const request of requests) {
    const fault = requestFault(request);
    if (fault !== null) return failure(fault);
  }
  const capability = continued(caller, source);
  const depth = startedDepth(caller, found.depth);
  const at = deps.clock.now();
  const forks = requests.map(({ prompt, name, model }) => {
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
