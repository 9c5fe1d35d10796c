import { parseHostList, widerEntries } from '@svc/sandbox/hosts';
import { shown } from '../plain.ts';
import { runFields } from '../trigger-fields.schema.ts';
import { fault, given, type Scope } from './scope.ts';

const MOST = runFields.network.schema.maxItems;

/** Lists of hosts that other lists cannot exceed. */
export interface HostRules {
  /** The list of the instance. Default: none. */
  readonly instance?: readonly string[];
  /** The list of the project, for those of its triggers. Default: none. */
  readonly project?: readonly string[];
}

/** Checks a list of hosts; duplicates are dropped. Entries that allow more than a wider list get a warning. */
export function readHosts(scope: Scope, rules: HostRules): string[] | undefined {
  const value = given(scope, 'network');
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    const example = 'such as [api.github.com, "*.example.org:443"]';
    return fault(scope, 'network', `must be a list of hosts, ${example}, not ${shown(value)}`);
  }
  if (value.length > MOST) {
    return fault(scope, 'network', `must have at most ${MOST} entries, not ${value.length}`);
  }
  // By index, to report the holes of a sparse list too.
  const checked = Array.from({ length: value.length }, (_, i) => checkHost(scope, i, value[i]));
  if (checked.includes(null)) return undefined;
  const hosts = checked.filter((host) => host !== null);
  warnOfWider(scope, hosts, rules);
  return [...new Set(hosts)];
}

function checkHost(scope: Scope, index: number, entry: unknown): string | null {
  const path = [...scope.path, 'network', index];
  if (typeof entry !== 'string') {
    scope.report.fault(path, `must be a host, such as api.github.com, not ${shown(entry)}`);
    return null;
  }
  const list = parseHostList([entry]);
  if (!list.ok) scope.report.fault(path, list.error.message.replace(/\.$/, ''));
  return list.ok ? entry : null;
}

function warnOfWider(
  scope: Scope,
  hosts: readonly string[],
  { instance, project }: HostRules,
): void {
  const ofInstance = new Set(instance && widerEntries(instance, hosts));
  const ofProject = new Set(project && widerEntries(project, hosts));
  for (const [index, host] of hosts.entries()) {
    const upper = ofInstance.has(host)
      ? 'agents.sandbox.network'
      : ofProject.has(host)
        ? 'network of the project'
        : null;
    if (upper === null) continue;
    const message = `${shown(host)} allows more than ${upper}, and the excess has no effect`;
    scope.report.warn([...scope.path, 'network', index], message);
  }
}
