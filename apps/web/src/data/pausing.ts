import { bodyOf } from '@svc/client';
import { api } from './api.ts';
import type { TriggerPath } from './trigger-changes.ts';

/** How everything is to be paused. */
export interface PauseWish {
  /** Blank for none. */
  readonly reason: string;
  /** Whether turns of triggers that run are cancelled. */
  readonly stopRunning: boolean;
}

/** Lets nothing start by itself. */
export async function pauseAll({ reason, stopRunning }: PauseWish): Promise<void> {
  const body = { ...(reason.trim() !== '' && { reason }), stopRunning };
  bodyOf(await api.POST('/api/pause', { body }));
}

/** Lets everything go on. */
export async function resumeAll(): Promise<void> {
  bodyOf(await api.POST('/api/resume'));
}

/** Has a trigger go on that was paused after failures. */
export async function resumeTrigger(path: TriggerPath): Promise<void> {
  const params = { path };
  bodyOf(await api.POST('/api/projects/{slug}/triggers/{name}/resume', { params }));
}
