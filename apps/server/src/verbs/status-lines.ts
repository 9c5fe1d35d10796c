import { statSync } from 'node:fs';
import { attentionLines, problemLines } from '@svc/cli';
import { type Api, ApiError, type Schemas } from '@svc/client';
import type { Home } from '../home.ts';

type Status = Schemas['Status'];

/**
 * Problems of the running server, with fixes: not ready, paused, time zone not accepted, delayed detection of edits,
 * undelivered alerts, settings older than their file, and what needs attention. Null if no server responds.
 */
export async function statusLines(
  api: Api | null,
  { config }: Pick<Home, 'config'>,
): Promise<string[] | null> {
  const answer = await api?.GET('/api/status').catch(() => null);
  if (answer == null) return null;
  if (answer.response.status === 503) return [`server: ${new ApiError(503, answer.error).message}`];
  if (answer.data === undefined) return [];
  // A server of an earlier version does not send all fields.
  const status: Partial<Status> = answer.data;
  return [
    ...problemLines(status),
    ...(isOlder(status, config) ? [OLDER] : []),
    ...(status.attention === undefined ? [] : attentionLines(status.attention)),
  ];
}

const OLDER =
  'svc.config.yaml changed after the service started. Send SIGHUP to apply managementApi, and restart to apply other settings.';

function isOlder({ answeredBy, nodes = [] }: Partial<Status>, config: string): boolean {
  const own = nodes.find(({ id }) => id === answeredBy);
  const changed = statSync(config, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (own === undefined) return false;
  // The server may use the clock of its database, but the file has the time of this machine, so only durations are compared.
  const upMs = Date.parse(own.heartbeatAt) - Date.parse(own.startedAt);
  return changed > Date.now() - upMs;
}
