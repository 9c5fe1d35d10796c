import { statSync } from 'node:fs';
import type { OperationResults } from '@svc/ops';
import { authorText } from '@svc/records';
import type { Home } from '../home.ts';
import { attentionLines } from './attention-lines.ts';
import { callerOfHome } from './home-caller.ts';

type Alerts = OperationResults['read_status']['alerts'];

interface StatusBody {
  readonly paused?: {
    readonly by: string;
    readonly at: string;
    readonly reason: string | null;
  } | null;
  readonly alerts?: Alerts;
  readonly attention?: OperationResults['read_status']['attention'];
  readonly answeredBy?: string;
  readonly nodes?: readonly {
    readonly id: string;
    readonly startedAt: string;
    readonly heartbeatAt: string;
  }[];
  readonly timezone?: { readonly warning: string | null };
  readonly limitedWatch?: {
    readonly reason: string;
    readonly projects: number;
    readonly seconds: number;
  } | null;
}

/**
 * Problems of the running server, with fixes: not ready, paused, time zone not accepted, delayed detection of edits,
 * undelivered alerts, settings older than their file, and what needs attention. Null if no server responds.
 */
export async function statusLines({
  instanceFile,
  config,
}: Pick<Home, 'instanceFile' | 'config'>): Promise<string[] | null> {
  const ask = await callerOfHome(instanceFile);
  const answer = await ask?.('GET', '/api/status').catch(() => null);
  if (answer == null) return null;
  if (answer.status === 503) return [`server: ${(answer.body as { error: string }).error}`];
  if (answer.status !== 200) return [];
  const status = answer.body as StatusBody;
  const { paused, limitedWatch, attention } = status;
  const warning = status.timezone?.warning ?? null;
  return [
    ...(paused == null ? [] : [pauseLine(paused)]),
    ...(warning === null ? [] : [zoneLine(warning)]),
    ...(limitedWatch == null ? [] : [watchLine(limitedWatch)]),
    ...(status.alerts === undefined ? [] : sinkLines(status.alerts)),
    ...(isOlder(status, config) ? [OLDER] : []),
    ...(attention === undefined ? [] : attentionLines(attention)),
  ];
}

const OLDER =
  'svc.config.yaml changed after the service started. Send SIGHUP to apply managementApi, and restart to apply other settings.';

function isOlder({ answeredBy, nodes = [] }: StatusBody, config: string): boolean {
  const own = nodes.find(({ id }) => id === answeredBy);
  const changed = statSync(config, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (own === undefined) return false;
  // The server may use the clock of its database, but the file has the time of this machine, so only durations are compared.
  const upMs = Date.parse(own.heartbeatAt) - Date.parse(own.startedAt);
  return changed > Date.now() - upMs;
}

export function pauseLine({ by, at, reason }: NonNullable<StatusBody['paused']>): string {
  const why = reason === null ? '' : ` (reason: ${reason.replace(/[.!?]$/, '')})`;
  return `All triggers have been paused since ${at} by ${authorText(by)}${why}. Resume them with svc resume.`;
}

export function sinkLines({ failing }: Pick<Alerts, 'failing'>): string[] {
  return failing.map(({ sink, error }) => `alerts: ${sink} is failing. ${error}`);
}

export function zoneLine(warning: string): string {
  return `time zone: ${warning}`;
}

export function watchLine({
  reason,
  projects,
  seconds,
}: NonNullable<StatusBody['limitedWatch']>): string {
  const late = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `edits: ${reason} Until then, edits in ${projects === 1 ? 'one project' : `${projects} projects`} take effect after up to ${late}.`;
}
