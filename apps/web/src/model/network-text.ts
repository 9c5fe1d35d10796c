import type { Run, TriggerPut } from '../data/api-types.ts';
import type { EffectiveSettings } from '../data/service.ts';
import type { StateLabel } from './outcomes.ts';

type Network = NonNullable<Run['network']>;
type Reached = Network['reached'][number];

/** A host of a network record. */
export interface HostRow {
  /** The host with its port, as a list of hosts names it: "api.github.com:443", "[::1]:22". */
  readonly target: string;
  /** The number of connections, and the bytes if they are known: "3 connections, 12 kB sent, 1.2 MB received". */
  readonly facts: string;
  /** Why connections were refused, in one sentence; null for hosts that were reached. */
  readonly reason: string | null;
}

/** Hosts of a network record with the same result. */
export interface HostGroup {
  readonly title: 'Reached' | 'Refused';
  /** Hosts with the same reason are adjacent. */
  readonly hosts: readonly HostRow[];
  /** The number of connections to hosts that are not recorded. */
  readonly more: number;
}

const LABELS: Readonly<Record<NonNullable<Run['sandbox']>, StateLabel>> = {
  enforced: { word: 'Sandboxed', tone: 'ok' },
  none: { word: 'Not sandboxed', tone: 'warn' },
};

/** Whether the processes of a run were sandboxed; null if it started none, or if unknown. */
export function sandboxLabelOf({ sandbox }: Run): StateLabel | null {
  return sandbox === null ? null : LABELS[sandbox];
}

/** The hosts of a network record, reached ones first; without empty groups. */
export function hostGroupsOf({ reached, refused, more }: Network): HostGroup[] {
  const reasons = [...new Set(refused.map(({ reason }) => reason))];
  const byReason = reasons.flatMap((each) => refused.filter(({ reason }) => reason === each));
  const groups: HostGroup[] = [
    {
      title: 'Reached',
      hosts: reached.map((entry) => ({ ...rowOf(entry), reason: null })),
      more: more?.reached ?? 0,
    },
    {
      title: 'Refused',
      hosts: byReason.map((entry) => ({ ...rowOf(entry), reason: entry.reason })),
      more: more?.refused ?? 0,
    },
  ];
  return groups.filter(({ hosts, more: rest }) => hosts.length + rest > 0);
}

function rowOf(entry: Reached): Pick<HostRow, 'target' | 'facts'> {
  const { host, port, count, sent, received } = entry;
  return {
    target: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    facts: [
      connectionsText(count),
      sent === undefined ? [] : `${bytesText(sent)} sent`,
      received === undefined ? [] : `${bytesText(received)} received`,
    ]
      .flat()
      .join(', '),
  };
}

/** A number of connections: "1 connection", "1,200 connections". */
export function connectionsText(count: number): string {
  return count === 1 ? '1 connection' : `${count.toLocaleString('en-GB')} connections`;
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in decimal units: "840 B", "1.2 MB", "36 GB". */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = UNITS.findIndex((_, n) => bytes / 1000 ** (n + 1) < 999.5);
  const at = power === -1 ? UNITS.length - 1 : power;
  const value = bytes / 1000 ** (at + 1);
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${UNITS[at]}`;
}

const OWN_LIST = 'run.network, or network of the project';

/**
 * Whether adding a refused host to `run.network` of its trigger can allow it: the trigger has a list without it, and no
 * list of the service refuses it as well.
 *
 * @param run the trigger as it is stored now
 */
export function isAllowable({ target, reason }: HostRow, run: TriggerPut['run']): boolean {
  const network = run?.network ?? null;
  return (
    network !== null &&
    !network.includes(target) &&
    reason?.endsWith(` Add ${target} to ${OWN_LIST}.`) === true
  );
}

const NOT_LIMITED = 'Its connections were neither limited nor recorded.';
const BY_MODE = 'agents.sandbox.mode is off.';
const BY_NETWORK = 'agents.sandbox.network is unrestricted.';
const BY_MACHINE = 'Run svc doctor to check whether the service can run sandboxes.';

/**
 * What it means that a run was not sandboxed, and why according to the current settings.
 *
 * @param settings the effective settings; undefined until they are known
 */
export function unsandboxedText(settings: EffectiveSettings['settings'] | undefined): string {
  if (settings === undefined) return NOT_LIMITED;
  const setting = (name: string): unknown => settings[`agents.sandbox.${name}`]?.value;
  if (setting('mode') === 'off') return `${NOT_LIMITED} ${BY_MODE}`;
  const why = setting('network') === 'unrestricted' ? BY_NETWORK : BY_MACHINE;
  return `${NOT_LIMITED} ${why}`;
}
