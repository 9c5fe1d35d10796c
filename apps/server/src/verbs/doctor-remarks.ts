import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Runtime } from '@svc/agent-runtime';
import {
  attentionLines,
  type Environment,
  findProjectFiles,
  problemLines,
  readProject,
} from '@svc/cli';
import { type Api, ApiError, type Schemas } from '@svc/client';
import { messageOf, shownOrigin } from '@svc/core';
import { createPromptRemarks } from '@svc/engine';
import { attentionOfFiles } from '@svc/ops';
import { durationText, type NotifySettings } from '@svc/settings';
import { problemOf, shownTarget } from '../alerting.ts';
import type { Home } from '../home.ts';
import type { Keys } from '../keys.ts';
import type { VerbContext } from '../verb-context.ts';
import { createZoneHost } from '../zone-host.ts';

const NO_SINKS =
  'Alerts: no alert is sent when a trigger fails or svc stops. Set notify in svc.config.yaml.';
const NO_HEARTBEAT =
  'No alert is sent when svc itself stops. Set notify.heartbeat to the URL of a monitor such as Healthchecks.';

/** The configured sinks and their problems, one line each for people. */
export function alertLines(
  { sinks, heartbeat }: NotifySettings,
  keys: Pick<Keys, 'of'>,
): readonly string[] {
  const all = Object.entries(sinks);
  if (all.length === 0 && heartbeat === null) return [NO_SINKS];
  const lines = all.map(([id, own]) => {
    const problem = problemOf(own, keys);
    const what = `${own.on.join(', ')} to ${shownTarget(own)}`;
    return `  ${id.padEnd(10)} ${problem ?? `${what}; test it with svc alerts test ${id}`}`;
  });
  if (heartbeat === null) return ['Alerts:', ...lines, NO_HEARTBEAT];
  const every =
    heartbeat.everyMs === 0 ? '' : `, at most once every ${durationText(heartbeat.everyMs)}`;
  const beat = `after a success${every}, at ${shownOrigin(heartbeat.url)}`;
  return ['Alerts:', ...lines, `  ${'heartbeat'.padEnd(10)} ${beat}`];
}

/** What needs attention in the project files of a home without a running server, one line each. */
export async function attentionInHome(
  context: VerbContext,
  runtimes: ReadonlyMap<string, Runtime>,
): Promise<string[]> {
  const { default: defaultRuntime } = context.settings.runtime;
  const remarks = createPromptRemarks({ runtimes }, { defaultRuntime });
  const files = await findProjectFiles(context, undefined).catch(() => []);
  const items = [];
  for (const path of files) {
    const slug = basename(dirname(path));
    const read = await readProject(context, path).catch((error: unknown) => {
      const message = `cannot be read: ${messageOf(error).replace(/\.$/, '')}.`;
      return { ok: false, issues: [{ path: '', message }] } as const;
    });
    const parsed = read.ok
      ? { folder: read.folder, file: read.file, faults: [] }
      : { folder: dirname(path), file: null, faults: read.issues };
    const project = { slug, isUnconfirmed: false, ...parsed };
    const prompts = new Map(
      (read.ok ? read.entries : []).map(({ entry, prompt }) => [entry.record, prompt?.issue]),
    );
    const found = attentionOfFiles(project, ({ key: { source }, record }) =>
      remarks.faultOf(project, source, record, prompts.get(record)),
    );
    items.push(...found);
  }
  return attentionLines({ total: items.length, entries: items });
}

/** Problems with clocks and time zone data, of this host and, for each trigger, of a running server. */
export async function clockLines(api: Api | null, env: Environment): Promise<string[]> {
  const host = createZoneHost(env, null);
  const data = (await host.hasData())
    ? `compared with the host's data at each start`
    : 'not compared, because the host has none';
  return [
    `time zone data: ${process.versions['tz'] ?? 'unknown'}, ${data}`,
    ...(api === null ? [] : await reportedLines(api)),
  ];
}

async function reportedLines(api: Api): Promise<string[]> {
  const lines: string[] = [];
  const listed = await api.GET('/api/projects').catch(() => null);
  for (const { slug } of listed?.data?.projects ?? []) {
    const params = { path: { slug } };
    const path = '/api/projects/{slug}/triggers/runtime';
    const answer = await api.GET(path, { params }).catch(() => null);
    for (const { name, clock, zoneData } of answer?.data?.runtime ?? []) {
      for (const part of [clock, zoneData]) {
        if (part !== undefined) lines.push(`${slug} ${name}: ${part.message}`);
      }
    }
  }
  return lines;
}

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
