import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createProcessReaper,
  detectRuntimes,
  type ProxyOptions,
  proxyOf,
  type Runtime,
  type RuntimeProbe,
  type SelfTestResult,
} from '@svc/agent-runtime';
import { accessRunningServer, asksForJson, type ExitCode, printResult, zoneLine } from '@svc/cli';
import { createSystemClock, messageOf, silentLogger } from '@svc/core';
import type { Settings } from '@svc/settings';
import { agentsUser } from '../agents-user.ts';
import { type Home, issuesText, requireFolder, requireHome, requireRestored } from '../home.ts';
import { readKeys } from '../keys.ts';
import { readLastUse } from '../last-use.ts';
import { createRuntimes } from '../runtimes.ts';
import { openSandboxes } from '../sandboxes.ts';
import type { VerbContext } from '../verb-context.ts';
import { databaseLines } from './database-lines.ts';
import { alertLines, attentionInHome, clockLines, statusLines } from './doctor-remarks.ts';
import { checkEndpoint } from './endpoint-check.ts';
import { readRefusals } from './refused-hosts.ts';
import { sandboxReport } from './sandbox-report.ts';
import { traceLines } from './trace-lines.ts';

/**
 * Checks runtimes, database, projects and connections, and suggests fixes. Returns 1 if the default runtime is not ready, or
 * database or projects cannot be used.
 */
export async function doctorVerb(context: VerbContext): Promise<ExitCode> {
  const { terminal, settings, home, env, version } = context;
  await requireRestored(home);
  if (!home.configIsNamed) await requireFolder(home);
  const clock = createSystemClock();
  const reaper = createProcessReaper({ clock, logger: silentLogger });
  const user = await agentsUser({ clock, logger: silentLogger }, home, settings.agents);
  const keys = await readKeys(home, settings, env);
  const path = env['PATH'] ?? '';
  const common = { clock, logger: silentLogger, home, settings, path, user };
  // A missing data folder must stay missing, so that it can be restored.
  const temporary = existsSync(home.data) ? null : mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  const place = temporary === null ? {} : { stateFolder: temporary };
  const sandboxes = await openSandboxes({ ...common, ...place });
  const { turns } = sandboxes;
  const runtimes = createRuntimes({ ...common, reaper, keys, version, sandboxes: turns });
  const api = await accessRunningServer(context).catch(() => null);
  const refusals = await readRefusals(api, settings.runtime.external);
  let isReady = false;
  const examined: object[] = [];
  // Printed as soon as each check is done, because some take seconds.
  const print = (lines: readonly string[]): void => {
    if (!asksForJson(context)) for (const line of lines) terminal.out(line);
  };
  for (const runtime of runtimes.values()) {
    const isDefault = runtime.id === settings.runtime.default;
    const report = await examine(runtime, settings.runtime, proxyOf(keys.of), version);
    if (isDefault) isReady = report.isUsable;
    print([`${runtime.id}${isDefault ? ' (default)' : ''}: ${report.standing}`]);
    const refused = (refusals.get(runtime.id) ?? []).map((text) => ['refused', text] as const);
    const all = [...report.details, ...refused];
    print(all.map(([label, text]) => `  ${label.padEnd(10)} ${text}`));
    const details = all.map(([about, text]) => ({ about, text }));
    examined.push({ id: runtime.id, isDefault, usable: report.isUsable, details });
  }
  print(await programLines(path));
  const sandbox = await sandboxReport(sandboxes, settings.agents.sandbox.mode, path);
  print(sandbox.lines);
  if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  const database = await databaseLines(home, settings);
  print(database.lines);
  const projects = await projectLines(home);
  print(projects.lines);
  const { warning } = context.processZone;
  const remarks = [
    ...new Set([
      ...(warning === null ? [] : [zoneLine(warning)]),
      ...context.warnings.map((one) => issuesText(home, [one])),
      ...((await statusLines(api, home)) ?? (await attentionInHome(context, runtimes))),
      ...(await clockLines(api, env)),
    ]),
    ...alertLines(settings.notify, keys),
    ...(await traceLines(settings.telemetry, keys)),
  ];
  print(remarks);
  const isOk = isReady && sandbox.ok && database.ok && projects.ok;
  const found = { runtimes: examined, sandbox, database, projects, remarks };
  printResult(context, { ok: isOk, ...found }, []);
  return isOk ? 0 : 1;
}

async function programLines(path: string): Promise<readonly string[]> {
  const found = (await detectRuntimes(path)).join(', ');
  return found === ''
    ? []
    : [`Agent programs on this machine: ${found}. To use one, configure it in svc.config.yaml.`];
}

// The default folder in the home was already checked.
async function projectLines(
  home: Home,
): Promise<{ readonly lines: readonly string[]; readonly ok: boolean }> {
  if (!home.projectsAreNamed) {
    // A server with other environment variables may have used another folder.
    const { projects = home.projects } = (await readLastUse(home)) ?? {};
    return { lines: projects === home.projects ? [] : [`projects: ${projects}`], ok: true };
  }
  const problem = await requireHome(home).then(() => null, messageOf);
  const next = problem === null ? [] : [`  next       ${problem}`];
  return { lines: [`projects: ${home.projects}`, ...next], ok: problem === null };
}

interface Report {
  readonly isUsable: boolean;
  readonly standing: string;
  readonly details: readonly (readonly [label: string, text: string])[];
}

async function examine(
  runtime: Runtime,
  settings: Settings['runtime'],
  proxy: ProxyOptions | null,
  version: string,
): Promise<Report> {
  const { probe, remark } = await probeOf(runtime, settings, proxy);
  const verdict = probe.ready ? ((await runtime.selfTest?.()) ?? null) : null;
  const isUsable = probe.ready && verdict?.passed !== false;
  const todo = probe.ready ? remark : probe.reason;
  const next = todo === null ? [] : [['next', todo] as const];
  return {
    isUsable,
    standing: probe.ready ? 'ready' : 'not ready',
    details: [
      ...next,
      ...modelOf(runtime.id, settings),
      ...holdsOf(runtime, probe.ready, verdict, version),
    ],
  };
}

// The probe of a runtime sends no request to its endpoint.
async function probeOf(
  runtime: Runtime,
  settings: Settings['runtime'],
  proxy: ProxyOptions | null,
): Promise<Probed> {
  const probe = await runtime.probe();
  const { model, baseUrl } = { ...NOWHERE, ...settingsOf(runtime.id, settings) };
  if (!probe.ready || baseUrl === null) return { probe, remark: null };
  const asked = model === 'playbook' ? null : model;
  const { keyVariable, headers } = settings.native;
  const hasKey = keyVariable !== null || Object.keys(headers).length > 0;
  const check = await checkEndpoint({ baseUrl, model: asked, hasKey }, proxy);
  const { answers, failedInProxy, remark } = check;
  // An endpoint of another kind may return an error for this request, but it is reachable.
  if (answers) return { probe, remark: runtime.id === 'native' ? remark : null };
  const reason = failedInProxy
    ? `${baseUrl} cannot be reached through the proxy. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`
    : `no answer from ${baseUrl}. Start the endpoint, or correct baseUrl.`;
  return { probe: { ready: false, reason }, remark: null };
}

interface Probed {
  readonly probe: RuntimeProbe;
  /** A possible problem of a ready runtime; null if there is none. */
  readonly remark: string | null;
}

function modelOf(id: string, settings: Settings['runtime']): [string, string][] {
  const { model, baseUrl } = { ...NOWHERE, ...settingsOf(id, settings) };
  if (id === 'native' && (model === null || model === 'playbook')) {
    return [['model', 'playbook (no AI): runs the steps in the prompt']];
  }
  const where = baseUrl === null ? '' : ` at ${baseUrl}`;
  return model === null && where === ''
    ? []
    : [['model', `${model ?? 'default of the agent'}${where}`]];
}

const NOWHERE = { model: null, baseUrl: null };

function settingsOf(id: string, { native, claude, external }: Settings['runtime']) {
  return id === 'native' ? native : id === 'claude' ? claude : external[id];
}

function holdsOf(
  { holds, selfTest }: Runtime,
  isReady: boolean,
  verdict: SelfTestResult | null,
  version: string,
): [string, string][] {
  const lines: [string, string][] = [
    [
      'tools',
      holds.network === 'all' ? SANDBOXED_LISTS[holds.toolAllowList] : LISTS[holds.toolAllowList],
    ],
    ['hosts', HOSTS[holds.network ?? 'none']],
    ['turns', TURNS[holds.maxTurns]],
    ['operations', OPERATIONS[holds.svcManage]],
    ['cost', COSTS[holds.cost]],
  ];
  if (selfTest === undefined)
    lines.push(['self-test', 'not available: triggers with limits are refused']);
  else if (verdict?.passed) lines.push(['self-test', `passed (svc ${version})`]);
  else if (verdict !== null) lines.push(['self-test', `failed: ${verdict.reason}`]);
  else if (!isReady) lines.push(['self-test', 'runs once the runtime is ready']);
  return lines;
}

const LISTS = {
  enforced: 'exactly the listed tools',
  asked:
    'an unlisted tool is refused only if the agent asks for permission: triggers with a tool list are refused',
  none: 'the built-in tools of the agent: triggers with a tool list are refused',
} as const;
const IN_SANDBOX =
  'a tool list is enforced by the sandbox, as read or write access and network, not tool by tool';
const SANDBOXED_LISTS = { enforced: LISTS.enforced, asked: IN_SANDBOX, none: IN_SANDBOX } as const;
const HOSTS = {
  all: 'run.network is enforced',
  'except-bash': 'run.network is enforced for WebFetch; triggers with Bash and a list are refused',
  none: 'triggers with run.network are refused',
} as const;
const TURNS = {
  exact: 'at most maxTurns model calls',
  approximate: 'approximately maxTurns rounds of tool calls',
  none: 'one run of the command; model calls are not counted',
} as const;
const OPERATIONS = {
  'in-process': 'mcp__svc_manage__*, in this process',
  http: 'mcp__svc_manage__*, over a loopback address with a token for each turn',
  none: 'none',
} as const;
const COSTS = {
  estimate: 'tokens and an estimate in US dollars',
  tokens: 'tokens; set prices to get an estimate in US dollars',
  none: 'not reported',
} as const;
