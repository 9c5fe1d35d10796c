import { bodyOf } from '@svc/client';
import { api } from './api.ts';
import type { StoredTrigger, TriggerPut } from './shapes.ts';

/** Where a trigger stands. */
export interface TriggerPath {
  readonly slug: string;
  readonly name: string;
}

/** A trigger as it stands now. */
export async function readTrigger(
  path: TriggerPath,
  signal: AbortSignal | null = null,
): Promise<StoredTrigger> {
  const options = { params: { path }, signal };
  const answer = await api.GET('/api/projects/{slug}/triggers/{name}', options);
  return { record: bodyOf(answer), etag: answer.response.headers.get('ETag') ?? '*' };
}

/** When a trigger may be written: only where it is still the one with this entity tag, only where there is none, or always. */
export type Condition = { readonly ifMatch: string } | 'if-none' | 'always';

/** Writes a whole trigger. */
export async function writeTrigger(
  path: TriggerPath,
  body: TriggerPut,
  condition: Condition,
): Promise<StoredTrigger> {
  const params = { path, header: headerOf(condition) };
  const answer = await api.PUT('/api/projects/{slug}/triggers/{name}', { params, body });
  return { record: bodyOf(answer), etag: answer.response.headers.get('ETag') ?? '*' };
}

function headerOf(condition: Condition) {
  if (condition === 'always') return {};
  return condition === 'if-none' ? { 'If-None-Match': '*' } : { 'If-Match': condition.ifMatch };
}

/** Puts the trigger back as it stands now, with `enabled` changed: an edit of somebody else in between is a 412. */
export async function setEnabled(path: TriggerPath, enabled: boolean): Promise<void> {
  const { record, etag } = await readTrigger(path);
  await writeTrigger(path, { ...record, enabled }, { ifMatch: etag });
}

/** Starts a run; gives its id. */
export async function runNow(path: TriggerPath): Promise<string> {
  const params = { path };
  return bodyOf(await api.POST('/api/projects/{slug}/triggers/{name}/run', { params })).runId;
}

/** Deletes the entry; with `etag` only the one that was looked at. */
export async function deleteTrigger(path: TriggerPath, etag: string | null): Promise<void> {
  const params = { path, header: etag === null ? {} : { 'If-Match': etag } };
  bodyOf(await api.DELETE('/api/projects/{slug}/triggers/{name}', { params }));
}
