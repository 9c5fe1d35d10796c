import { ApiError, bodyOf } from '@svc/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A turn that runs now. */
export interface RunningTurn {
  readonly turnId: string;
  /** Slug. */
  readonly project: string;
  readonly sessionId: string;
  /** Name of the chat. */
  readonly chat: string;
  /** Null for what somebody asked for in a chat. */
  readonly runId: string | null;
  readonly trigger: string | null;
  /** UTC ISO text. */
  readonly startedAt: string;
}

/** A setting that is in force. */
export interface Setting {
  readonly value: string | number | boolean | null | readonly string[];
  readonly source: 'default' | 'file' | 'environment' | 'flag';
}

/** Who may call `/mcp`, and what for. */
export interface ManagementClient {
  readonly clientId: string;
  readonly scope: {
    readonly projects: readonly string[];
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly denyProjects: readonly string[];
    readonly maxSpawnDepth: number | null;
  };
}

/** A runtime, and why it cannot start turns now where it cannot. */
export interface Runtime {
  readonly id: string;
  readonly isDefault: boolean;
  readonly ready: boolean;
  readonly reason: string | null;
}

/** What is in force in the service. */
export interface EffectiveSettings {
  /** By their names in svc.config.yaml. */
  readonly settings: Readonly<Record<string, Setting>>;
  readonly clients: readonly ManagementClient[];
  readonly runtimes: readonly Runtime[];
}

/** What runs now, the turn that has run longest first; null where the service does not tell. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => readIfTold<{ running: readonly RunningTurn[] }>('/api/status', signal),
});

/** What is in force; null where the service does not tell. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => readIfTold<EffectiveSettings>('/api/settings', signal),
});

// An older service has no such route.
async function readIfTold<T>(path: string, signal: AbortSignal): Promise<T | null> {
  const response = await globalThis.fetch(new URL(path, globalThis.location.origin), { signal });
  if (response.status === 404) return null;
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body);
  return body as T;
}

/** Where a run stands. */
export interface RunPath {
  readonly slug: string;
  readonly runId: string;
}

/** Asks a run to end. */
export async function cancelRun(path: RunPath): Promise<void> {
  bodyOf(await api.POST('/api/projects/{slug}/runs/{runId}/cancel', { params: { path } }));
}
