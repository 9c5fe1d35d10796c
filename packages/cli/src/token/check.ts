import {
  type ClientReport,
  createPolicy,
  type ManagementReport,
  type Policy,
  type Scope,
  type TokenReport,
} from '@svc/mgmt-auth';
import { CATALOGUE } from '@svc/ops';
import type { CommandContext } from '../context.ts';
import { printResult } from '../print-result.ts';
import { type ExitCode, UsageError } from '../terminal.ts';

/** Reports the state of each configured client and of the endpoint. Returns 1 if there is a problem. */
export async function checkTokens(
  context: CommandContext,
  given: readonly string[],
): Promise<ExitCode> {
  if (given.length > 0) throw new UsageError('token check takes no name: it checks every client.');
  const report = await context.management.report();
  const policy = createPolicy(CATALOGUE);
  const clients = report.clients.map((client) => ({
    clientId: client.clientId,
    usable: client.usable,
    standing: standing(client),
    details: details(client, report.instanceId, policy),
  }));
  const remarks = [...settingErrors(report), ...unknownKeys(report)];
  const lines = clients.flatMap(({ clientId, standing: how, details: more }) => [
    `${shown(clientId)}: ${how}`,
    ...more.map(([label, text]) => `  ${label.padEnd(10)} ${text}`),
  ]);
  const shownClients = clients.map(({ details: more, ...client }) => ({
    ...client,
    details: more.map(([about, text]) => ({ about, text })),
  }));
  const enabled = report.config !== null;
  printResult(context, { enabled, clients: shownClients, remarks }, [
    ...lines,
    ...remarks,
    verdict(report),
  ]);
  const usable = report.clients.every((client) => client.usable);
  return usable && report.config !== null ? 0 : 1;
}

function standing(client: ClientReport): string {
  if (client.usable) return 'usable';
  if (client.problems.length > 0) return 'not usable: invalid configuration';
  if (client.sameTokenAs !== null) {
    return `not usable: same token as ${shown(client.sameTokenAs)}; create another with svc token new`;
  }
  const causes = {
    ready: 'its token is bound to another instance; create one with svc token new',
    short: 'its token is too short; create one with svc token new',
    blank: 'its token is missing; set the variable in the environment or in envFile',
    unset: 'its token is missing; set the variable in the environment or in envFile',
  };
  return `not usable: ${causes[client.token?.state ?? 'unset']}`;
}

type Detail = readonly [label: string, text: string];

function details(client: ClientReport, instanceId: string | null, policy: Policy): Detail[] {
  const found: Detail[] = client.problems.map(({ path, message }) => [
    'wrong',
    `${shown(path)} ${message}`,
  ]);
  if (client.token !== null) found.push(['token', tokenText(client.token, instanceId)]);
  if (client.previousToken !== null) {
    const { state, binding } = client.previousToken;
    const live = state === 'ready' && binding !== 'elsewhere' ? 'live' : 'not live';
    found.push(['previous', `${live}: ${tokenText(client.previousToken, instanceId)}`]);
  }
  return client.scope === null ? found : [...found, ...rights(client, client.scope, policy)];
}

function tokenText({ variable, state, binding }: TokenReport, instanceId: string | null): string {
  const name = variable ?? 'its variable (name hidden, because it looks like a token)';
  const missing = { unset: 'is not set', blank: 'is blank', short: 'is under 24 characters' };
  if (state !== 'ready') return `${name} ${missing[state]}`;
  if (binding === 'elsewhere') return `${name} is set, bound to another instance`;
  if (binding === 'none') return `${name} is set, not bound to an instance`;
  return instanceId === null
    ? `${name} is set, binding not checked (no managementApi.instanceId)`
    : `${name} is set, bound to ${shown(instanceId)}`;
}

const KINDS = [
  ['read', ['read']],
  ['write', ['write', 'projects']],
  ['trigger', ['hooks']],
] as const satisfies readonly (readonly [string, readonly string[]])[];

function rights(client: ClientReport, scope: Scope, policy: Policy): Detail[] {
  const visible = policy.visibleOperations(scope);
  const byKind = KINDS.map(([kind, gates]): Detail => {
    const names = visible.filter((name) => gates.some((gate) => gate === CATALOGUE[name]?.gate));
    return [kind, names.join(', ') || 'nothing'];
  });
  const code = visible.filter((name) => client.runsCode.includes(name));
  const refused = scope.denyProjects.length > 0 ? `, but not ${list(scope.denyProjects)}` : '';
  const found: Detail[] = [
    ...byKind,
    ['projects', scope.projects.length > 0 ? `${list(scope.projects)}${refused}` : 'none'],
    ['runs code', code.length > 0 ? `yes, by ${code.join(', ')}` : 'no'],
  ];
  if (scope.maxSpawnDepth !== null) found.push(['depth', String(scope.maxSpawnDepth)]);
  return found;
}

function settingErrors({ lines }: ManagementReport): string[] {
  return lines
    .filter(({ level, fields }) => level === 'error' && fields['clientId'] === undefined)
    .map(({ fields }) => `${fields['key']} ${fields['problem']}`);
}

function unknownKeys({ lines }: ManagementReport): string[] {
  return lines
    .filter(({ level, message }) => level === 'warn' && message.startsWith('unknown key'))
    .map(({ fields }) => {
      const place =
        fields['clientId'] === undefined ? 'managementApi' : `client ${fields['clientId']}`;
      const { key } = fields;
      return `${key === undefined ? 'A key' : shown(String(key))} of ${shown(place)} is unknown and has no effect.`;
    });
}

function verdict({ config, clients, lines }: ManagementReport): string {
  if (config !== null) return '/mcp is enabled.';
  if (clients.length === 0) {
    return '/mcp is disabled: no clients configured. Start with: svc token new ci';
  }
  const cause = lines.at(-2)?.fields['key'];
  return cause === 'managementApi.publicUrl' || cause === 'managementApi.instanceId'
    ? `/mcp is disabled: fix ${cause}.`
    : '/mcp is disabled: no client is usable.';
}

function list(texts: readonly string[]): string {
  return texts.map(shown).join(', ');
}

// Control characters in the file must not reach the terminal.
function shown(text: string): string {
  return text === '' || /[\p{Cc}\p{Cf}]/u.test(text) ? JSON.stringify(text) : text;
}
