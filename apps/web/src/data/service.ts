import { bodyOf, type Schemas } from '@svc/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

type Status = Schemas['Status'];
/** Effective settings, runtimes and clients. */
export type EffectiveSettings = Schemas['EffectiveSettings'];

/** A running turn. */
export type RunningTurn = Status['running'][number];
/** An effective setting. */
export type Setting = EffectiveSettings['settings'][string];
/** A client of `/mcp` with its scope. */
export type ManagementClient = EffectiveSettings['clients'][number];
/** A runtime, with the reason when it cannot start turns. */
export type Runtime = EffectiveSettings['runtimes'][number];

/** The alert sinks and their state. */
export type Alerts = EffectiveSettings['alerts'];
/** A destination of alerts. */
export type AlertSink = Alerts['sinks'][number];

/** The status of the service; running turns are sorted by start, oldest first. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }): Promise<Status> => bodyOf(await api.GET('/api/status', { signal })),
});

/** The effective settings of the service. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<EffectiveSettings> =>
    bodyOf(await api.GET('/api/settings', { signal })),
});
