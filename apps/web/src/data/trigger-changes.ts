import { bodyOf } from '@svc/client';
import { api } from './api.ts';

/** Where a trigger stands. */
export interface TriggerPath {
  readonly slug: string;
  readonly name: string;
}

async function readTrigger(path: TriggerPath) {
  const answer = await api.GET('/api/projects/{slug}/triggers/{name}', { params: { path } });
  return { record: bodyOf(answer), etag: answer.response.headers.get('ETag') ?? '*' };
}

/** Puts the trigger back as it stands now, with `enabled` changed: an edit of somebody else in between is a 412. */
export async function setEnabled(path: TriggerPath, enabled: boolean): Promise<void> {
  const { record, etag } = await readTrigger(path);
  const params = { path, header: { 'If-Match': etag } };
  const body = { ...record, enabled };
  bodyOf(await api.PUT('/api/projects/{slug}/triggers/{name}', { params, body }));
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
