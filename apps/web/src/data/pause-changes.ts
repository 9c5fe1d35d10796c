import { bodyOf } from '@svc/client';
import { api } from './api.ts';
import type { TriggerPath } from './trigger-changes.ts';

/** The options of a pause. */
export interface PauseOptions {
  /** Empty for no reason. */
  readonly reason: string;
  /** Whether running turns of triggers are cancelled. */
  readonly stopRunning: boolean;
}

/** Pauses all triggers. */
export async function pauseAll({ reason, stopRunning }: PauseOptions): Promise<void> {
  const body = { ...(reason.trim() !== '' && { reason }), stopRunning };
  bodyOf(await api.POST('/api/pause', { body }));
}

/** Resumes all triggers. */
export async function resumeAll(): Promise<void> {
  bodyOf(await api.POST('/api/resume'));
}

/** Resumes a trigger that was paused after failures. */
export async function resumeTrigger(path: TriggerPath): Promise<void> {
  const params = { path };
  bodyOf(await api.POST('/api/projects/{slug}/triggers/{name}/resume', { params }));
}
