import { bodyOf } from '@svc/client';
import { api } from './api.ts';
import type { Chat } from './api-types.ts';

/** The address of a chat. */
export interface ChatPath {
  readonly slug: string;
  readonly sessionId: string;
}

/** Starts a chat with the keeper; without a name the service derives one from the prompt. */
export async function createChat(slug: string, prompt: string, name: string): Promise<Chat> {
  const body = name === '' ? { prompt } : { prompt, name };
  return bodyOf(await api.POST('/api/projects/{slug}/chats', { params: { path: { slug } }, body }));
}

export async function sendMessage(path: ChatPath, prompt: string): Promise<void> {
  const route = '/api/projects/{slug}/chats/{sessionId}/messages';
  bodyOf(await api.POST(route, { params: { path }, body: { prompt } }));
}

/** Cancels the running turn of a chat and its run. */
export async function cancelTurn(path: ChatPath): Promise<void> {
  const route = '/api/projects/{slug}/chats/{sessionId}/cancel';
  bodyOf(await api.POST(route, { params: { path } }));
}

/** Copies a chat; the copy waits for its first message. */
export async function forkChat(path: ChatPath): Promise<Chat> {
  const route = '/api/projects/{slug}/chats/{sessionId}/fork';
  return bodyOf(await api.POST(route, { params: { path }, body: {} }));
}

export async function setArchived(path: ChatPath, archived: boolean): Promise<void> {
  const params = { path };
  bodyOf(
    archived
      ? await api.POST('/api/projects/{slug}/chats/{sessionId}/archive', { params })
      : await api.POST('/api/projects/{slug}/chats/{sessionId}/unarchive', { params }),
  );
}
