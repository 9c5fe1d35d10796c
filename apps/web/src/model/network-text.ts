import type { Run } from '../data/api-types.ts';
import { inertText } from './inert-text.ts';
import type { StateLabel } from './outcomes.ts';

type Network = NonNullable<Run['network']>;

/** Hosts of a network record with the same result. */
export interface HostGroup {
  readonly title: 'Reached' | 'Refused';
  /** Why they were refused, in one sentence; null for hosts that were reached. */
  readonly reason: string | null;
  /** Each host with its port and the number of connections: "api.github.com:443 (3)". */
  readonly hosts: readonly string[];
}

const LABELS: Readonly<Record<NonNullable<Run['sandbox']>, StateLabel>> = {
  enforced: { word: 'Sandboxed', tone: 'ok' },
  none: { word: 'Not sandboxed', tone: 'warn' },
};

/** Whether the processes of a run were sandboxed; null if it started none, or if unknown. */
export function sandboxLabelOf({ sandbox }: Run): StateLabel | null {
  return sandbox === null ? null : LABELS[sandbox];
}

/** The hosts of a network record: first those that were reached, then the refused ones by reason. */
export function hostGroupsOf({ reached, refused }: Network): HostGroup[] {
  const reasons = [...new Set(refused.map(({ reason }) => reason))];
  return [
    { title: 'Reached' as const, reason: null, hosts: reached.map(hostText) },
    ...reasons.map((reason) => ({
      title: 'Refused' as const,
      reason: inertText(reason),
      hosts: refused.filter((entry) => entry.reason === reason).map(hostText),
    })),
  ].filter(({ hosts }) => hosts.length > 0);
}

function hostText({ host, port, count }: Network['reached'][number]): string {
  const name = inertText(host);
  return `${name.includes(':') ? `[${name}]` : name}:${port} (${count})`;
}
