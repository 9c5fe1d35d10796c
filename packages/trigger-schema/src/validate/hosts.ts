import { shown } from '../plain.ts';
import { runFields } from '../trigger-fields.schema.ts';
import { fault, given, type Scope } from './scope.ts';

const MOST = runFields.network.schema.maxItems;

/** Validation rules of lists of hosts. All are optional. */
export interface HostRules {
  /** What is wrong with an entry, as the continuation of its name; null if it is valid. Default: nothing. */
  readonly fault?: (entry: string) => string | null;
  /** The entries that allow more than `upper`, or than the instance if it is absent. Default: none. */
  readonly wider?: (entries: readonly string[], upper?: readonly string[]) => readonly string[];
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
  const checked = Array.from({ length: value.length }, (_, i) =>
    checkHost(scope, i, value[i], rules),
  );
  if (checked.includes(null)) return undefined;
  const hosts = checked.filter((host) => host !== null);
  warnOfWider(scope, hosts, rules);
  return [...new Set(hosts)];
}

function checkHost(scope: Scope, index: number, entry: unknown, rules: HostRules): string | null {
  const path = [...scope.path, 'network', index];
  const message =
    typeof entry === 'string'
      ? (rules.fault?.(entry) ?? null)
      : `must be a host, such as api.github.com, not ${shown(entry)}`;
  if (message !== null) scope.report.fault(path, message.replace(/\.$/, ''));
  return message === null ? (entry as string) : null;
}

function warnOfWider(scope: Scope, hosts: readonly string[], { wider, project }: HostRules): void {
  if (wider === undefined) return;
  const ofInstance = new Set(wider(hosts));
  const ofProject = new Set(project === undefined ? [] : wider(hosts, project));
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
