import type { Settings } from '@svc/settings';
import type { Sandboxes } from '../sandboxes.ts';

/** What `svc doctor` reports about sandboxes. */
export interface SandboxReport {
  /** Whether the settings can be fulfilled. */
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/** Dependencies of the report. */
export interface SandboxParts {
  readonly host: Pick<Sandboxes['host'], 'hiddenFolders'>;
  readonly support: Sandboxes['support'];
}

const LIMITS = {
  cgroup: 'enforced by the kernel, with a control group for each sandbox',
  sums: 'checked every 200 ms, because svc has no delegated control group (Delegate= of systemd)',
} as const;
const KEYRINGS =
  'agents can use the kernel keyrings of svc. Install perl, or run: keyctl session - svc serve';

/** Checks whether commands of agents can run in a sandbox on this machine. */
export async function sandboxReport(
  { host, support }: SandboxParts,
  mode: Settings['agents']['sandbox']['mode'],
  path: string,
): Promise<SandboxReport> {
  if (support === null) return { ok: true, lines: [] };
  if (!support.supported) {
    const next = [`  reason     ${support.reason}`, `  next       ${support.fix}`];
    return { ok: mode !== 'required', lines: ['sandbox: not available', ...next] };
  }
  const hidden = await host.hiddenFolders(path);
  const folders = hidden.map(
    (folder) => `  hidden     ${folder} is on the PATH of agents, but hidden from them.`,
  );
  const keys = support.refusesKeys ? [] : [`  keyrings   ${KEYRINGS}`];
  const limits = `  limits     ${LIMITS[support.limits]}`;
  return { ok: true, lines: ['sandbox: available', limits, ...keys, ...folders] };
}
