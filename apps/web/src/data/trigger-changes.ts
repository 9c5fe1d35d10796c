import { bodyOf } from '@svc/client';
import { api } from './api.ts';
import type { StoredTrigger, TriggerPut } from './api-types.ts';

/** The address of a trigger. */
export interface TriggerPath {
  readonly slug: string;
  readonly name: string;
}

/** Fetches a trigger with its entity tag. */
export async function readTrigger(
  path: TriggerPath,
  signal: AbortSignal | null = null,
): Promise<StoredTrigger> {
  const options = { params: { path }, signal };
  const answer = await api.GET('/api/projects/{slug}/triggers/{name}', options);
  return { record: bodyOf(answer), etag: answer.response.headers.get('ETag') ?? '*' };
}

/** The precondition of a write: only with this entity tag, only when the trigger does not exist, or always. */
export type Precondition = { readonly ifMatch: string } | 'if-none' | 'always';

/** Replaces a whole trigger. */
export async function writeTrigger(
  path: TriggerPath,
  body: TriggerPut,
  condition: Precondition,
): Promise<StoredTrigger> {
  const params = { path, header: headerOf(condition) };
  const answer = await api.PUT('/api/projects/{slug}/triggers/{name}', { params, body });
  return { record: bodyOf(answer), etag: answer.response.headers.get('ETag') ?? '*' };
}

function headerOf(condition: Precondition) {
  if (condition === 'always') return {};
  return condition === 'if-none' ? { 'If-None-Match': '*' } : { 'If-Match': condition.ifMatch };
}

/** Fetches the trigger and saves it with `enabled` changed; a concurrent edit results in a 412. */
export async function setEnabled(path: TriggerPath, enabled: boolean): Promise<void> {
  const { record, etag } = await readTrigger(path);
  await writeTrigger(path, { ...record, enabled }, { ifMatch: etag });
}

/** Starts a run and returns its id. */
export async function runNow(path: TriggerPath): Promise<string> {
  const params = { path };
  return bodyOf(await api.POST('/api/projects/{slug}/triggers/{name}/run', { params })).runId;
}

/** Deletes the trigger; with `etag`, only that version. */
export async function deleteTrigger(path: TriggerPath, etag: string | null): Promise<void> {
  const params = { path, header: etag === null ? {} : { 'If-Match': etag } };
  bodyOf(await api.DELETE('/api/projects/{slug}/triggers/{name}', { params }));
}

/** Without `etag`, returns what would take effect; with it, confirms that version of project.yaml. */
export async function confirmFile(slug: string, etag?: string) {
  const body = etag === undefined ? {} : { etag };
  const params = { path: { slug } };
  return bodyOf(await api.POST('/api/projects/{slug}/confirm-file', { params, body }));
}
