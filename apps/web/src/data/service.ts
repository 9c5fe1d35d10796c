import { bodyOf, type Schemas } from '@svc/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

type Status = Schemas['Status'];
/** Settings in force, runtimes and clients. */
export type EffectiveSettings = Schemas['EffectiveSettings'];

/** A turn that runs now. */
export type RunningTurn = Status['running'][number];
/** A setting that is in force. */
export type Setting = EffectiveSettings['settings'][string];
/** Who may call `/mcp`, and what for. */
export type ManagementClient = EffectiveSettings['clients'][number];
/** A runtime, and why it cannot start turns now where it cannot. */
export type Runtime = EffectiveSettings['runtimes'][number];

/** Who is told what happens, and how that goes. */
export type Alerts = EffectiveSettings['alerts'];
/** Where alerts go. */
export type AlertSink = Alerts['sinks'][number];

/** What runs now, the turn that has run longest first. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }): Promise<Status> => bodyOf(await api.GET('/api/status', { signal })),
});

/** What is in force in the service. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<EffectiveSettings> =>
    bodyOf(await api.GET('/api/settings', { signal })),
});
