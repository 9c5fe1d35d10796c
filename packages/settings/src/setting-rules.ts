import { type Issue, isDeeperThan, isLoopbackName, listed, textFault } from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';
import { SETTING_TABLE, type SettingValues } from './setting-table.ts';
import {
  areHeadersUnused,
  type ExternalSettings,
  type RuntimeSettings,
  runtimeOf,
  type SourceOf,
} from './settings.ts';

/** Problems in the combination of settings that a schema cannot state, and settings without effect. */
export function combinationFaults(
  values: SettingValues,
  sourceOf: SourceOf,
): { issues: Issue[]; warnings: Issue[] } {
  const auth = authFaults(values.auth.mode ?? 'unset', sourceOf);
  const runtime = runtimeOf(values.runtime);
  const costs = [...unknownCosts(runtime).values()];
  const faultOfLimit = (message: string) => ({ path: 'limits.costPerDayUsd', message });
  return {
    issues: [
      ...incompleteTlsPair(values),
      ...auth.issues,
      ...sinkFaults(values),
      ...runtimeFaults(runtime),
      ...(values.limits.costPerDayUsd === null ? [] : costs.map(faultOfLimit)),
    ],
    warnings: [
      ...(areHeadersUnused(sourceOf) ? [UNUSED_HEADERS] : []),
      ...auth.warnings,
      ...idleInSinks(values),
      ...plainKeys(runtime),
      ...ineffectiveGates(values),
    ],
  };
}

// With an incomplete pair the server must not fall back to plain HTTP.
function incompleteTlsPair({ server: { tls } }: SettingValues): Issue[] {
  const [cert, key] = ['server.tls.certFile', 'server.tls.keyFile'] as const;
  if ((tls.certFile === null) === (tls.keyFile === null)) return [];
  const [path, given] = tls.certFile === null ? [cert, key] : [key, cert];
  return [{ path, message: `is required because ${given} is set.` }];
}

const ROLES = ['auth.roles.read', 'auth.roles.write'];
const NOTHING = { needed: [], optional: [] };

/** The settings that a mode needs, and those that have an effect with it. */
const BY_MODE: Readonly<
  Record<string, { readonly needed: readonly string[]; readonly optional: readonly string[] }>
> = {
  token: { needed: ['auth.tokenRef'], optional: ['auth.trustedProxies'] },
  'trusted-header': {
    needed: ['auth.header', 'auth.trustedProxies'],
    optional: ['auth.rolesHeader', ...ROLES],
  },
  jwt: {
    needed: ['auth.jwt.issuer', 'auth.jwt.audience', 'auth.jwt.jwksUrl'],
    optional: [
      ...['auth.jwt.userClaim', 'auth.jwt.rolesClaim', 'auth.jwt.header'],
      ...['auth.trustedProxies', ...ROLES],
    ],
  },
};

function authFaults(mode: string, sourceOf: SourceOf): { issues: Issue[]; warnings: Issue[] } {
  const isGiven = (key: string): boolean => sourceOf(key) !== 'default';
  const given = SETTING_TABLE.map(({ key }) => key).filter(
    (key) => key.startsWith('auth.') && key !== 'auth.mode' && isGiven(key),
  );
  if (mode === 'unset') {
    const [first] = given;
    const message = `is required because ${first} is set.`;
    return { issues: first === undefined ? [] : [{ path: 'auth.mode', message }], warnings: [] };
  }
  const { needed, optional } = BY_MODE[mode] ?? NOTHING;
  const missing: Issue[] = needed
    .filter((key) => !isGiven(key))
    .map((path) => ({ path, message: `is required for auth.mode ${mode}.` }));
  if (mode === 'trusted-header' && ROLES.some(isGiven) && !isGiven('auth.rolesHeader')) {
    missing.push({ path: 'auth.rolesHeader', message: 'is required for auth.roles.' });
  }
  const idle = given.filter((key) => !needed.includes(key) && !optional.includes(key));
  const message = `has no effect with auth.mode ${mode}.`;
  return { issues: missing, warnings: idle.map((path) => ({ path, message })) };
}

function sinkFaults({ notify }: SettingValues): Issue[] {
  const sinks = Object.entries(notify.sinks);
  const faulty = sinks.filter(([, { url, command }]) => (url === null) === (command === null));
  const message = 'must have either url and secret, or command.';
  return faulty.map(([name]) => ({ path: `notify.sinks.${name}`, message }));
}

function idleInSinks({ notify }: SettingValues): Issue[] {
  return Object.entries(notify.sinks).flatMap(([name, { command, secret, args }]) => {
    const path = `notify.sinks.${name}`;
    if (command === null && args.length > 0)
      return [{ path: `${path}.args`, message: 'has no effect without command.' }];
    return command === null || secret === null
      ? []
      : [{ path: `${path}.secret`, message: 'has no effect with command.' }];
  });
}

/** Names of the built-in runtimes. */
const BUILT_IN_RUNTIMES = ['native', 'claude'] as const;
const MAX_LEVELS = 20;

function runtimeFaults({ default: chosen, native, external }: RuntimeSettings): Issue[] {
  const issues: Issue[] = [];
  const report = (key: string, message: string) => issues.push({ path: `runtime.${key}`, message });
  const names = [...BUILT_IN_RUNTIMES, ...Object.keys(external)];
  if (!names.includes(chosen)) {
    const reason = `this instance has no runtime ${JSON.stringify(chosen)}.`;
    report('default', `must be ${listed(names, 'or')}: ${reason}${didYouMean(chosen, names)}`);
  }
  const { model, baseUrl, keyVariable, headers, extraBody } = native;
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (own !== undefined && keyVariable !== null)
    report(`native.headers.${own}`, 'is also set by apiKey. Remove one of them.');
  if (model !== null && model !== 'playbook' && baseUrl === null) {
    const example = 'for example http://127.0.0.1:11434/v1.';
    report('native.baseUrl', `is required for model "${model}", ${example}`);
  }
  if (model === null && baseUrl !== null) {
    const reason = 'is required because runtime.native.baseUrl is set.';
    report('native.model', `${reason} Name the model to use there.`);
  }
  if (isDeeperThan(extraBody, MAX_LEVELS) || textFault(extraBody) !== null)
    report('native.extraBody', `must be valid Unicode, at most ${MAX_LEVELS} levels deep.`);
  return issues;
}

function plainKeys({ native, claude }: RuntimeSettings): Issue[] {
  const isSecret = Object.values(native.headers).some((held) => 'variable' in held);
  const callers = [
    { id: 'native', url: native.baseUrl, sends: isSecret || native.keyVariable !== null },
    { id: 'claude', url: claude.baseUrl, sends: claude.keyVariable !== null },
  ];
  return callers.flatMap(({ id, url, sends }) => {
    if (url === null || !sends) return [];
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || isLoopbackName(hostname)) return [];
    const message = 'sends the key over the network in plain text. Use https if available.';
    return [{ path: `runtime.${id}.baseUrl`, message }];
  });
}

/** Why a cost limit cannot be enforced, given the runtimes without a known cost. */
export function unknownCosts({
  native,
  claude,
  external,
}: RuntimeSettings): ReadonlyMap<string, string> {
  const unknown = new Map<string, string>();
  const asksModel = native.model !== null && native.model !== 'playbook';
  if (asksModel && native.prices === null) unknown.set('native', unpriced('native'));
  if (claude.baseUrl !== null && claude.prices === null) unknown.set('claude', unpriced('claude'));
  for (const [name, settings] of Object.entries(external)) {
    const message = unknownCostOf(name, settings);
    if (message !== null) unknown.set(name, message);
  }
  return unknown;
}

function unknownCostOf(name: string, { protocol, prices }: ExternalSettings): string | null {
  if (protocol === 'acp') return prices === null ? unpriced(`external.${name}`) : null;
  if (prices?.inputPerMillionUsd === 0 && prices.outputPerMillionUsd === 0) return null;
  return `cannot be enforced: the text command runtime.external.${name} reports no usage. If it costs nothing, set its prices to 0.`;
}

function unpriced(id: string): string {
  return `cannot be enforced: the cost of turns of ${id} is unknown. Set runtime.${id}.prices (inputPerMillionUsd and outputPerMillionUsd; 0 if free).`;
}

// Headers in the file are not sent to another collector.
const UNUSED_HEADERS: Issue = {
  path: 'telemetry.traces.headers',
  message:
    'has no effect while an environment variable sets the collector: it applies to telemetry.traces.url only.',
};

// Each of these gates has an effect only if the gate it needs is open.
const GATE_ORDER = [
  ['selfMcpWriteEnabled', 'selfMcpEnabled'],
  ['selfMcpProjectsEnabled', 'selfMcpWriteEnabled'],
  ['hooksMcpEnabled', 'selfMcpWriteEnabled'],
] as const;

function ineffectiveGates(values: SettingValues): Issue[] {
  return GATE_ORDER.filter(([gate, needs]) => values[gate] && !values[needs]).map(
    ([path, needs]) => ({ path, message: `has no effect without ${needs}.` }),
  );
}
