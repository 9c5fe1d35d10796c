import type { Clock } from '@svc/core';
import type { HeartbeatDeps } from '../heartbeat.ts';
import { send } from './fetching.ts';

const TIMEOUT_MS = 10_000;

/** Pings an address in the way of Healthchecks: a GET request, for which any 2xx response is a success. */
export function createPing(clock: Clock, url: string): HeartbeatDeps['ping'] {
  return (signal) => {
    const request = { url, method: 'GET', headers: { 'user-agent': 'svc' } } as const;
    return send(request, { clock, timeoutMs: TIMEOUT_MS, signal });
  };
}
