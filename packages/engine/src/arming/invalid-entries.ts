import type { Issue } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Source } from '@svc/records';

/** An invalid entry, or the whole file (`project.yaml`), and why it is invalid. */
export interface InvalidEntry {
  readonly name: string;
  readonly source: Source | 'file';
  /**
   * `unreadable` and `unconfirmed`: the whole file, so that its last valid version stays in effect; `unconfirmed` if an
   * agent may have changed it.
   */
  readonly kind: 'invalid' | 'unreadable' | 'unconfirmed';
  readonly issues: readonly Issue[];
}

/** The invalid entries of a project file, and why they are invalid. */
export function invalidOf({
  file,
  faults,
  isUnconfirmed,
}: Pick<ProjectSnapshot, 'file' | 'faults' | 'isUnconfirmed'>): InvalidEntry[] {
  const entries: InvalidEntry[] = (file?.invalid ?? []).map((entry) => ({
    ...entry,
    kind: 'invalid',
  }));
  const isFaulty = faults.length > 0;
  const whole = isUnconfirmed ? 'unconfirmed' : 'unreadable';
  const kind = isFaulty ? whole : 'invalid';
  const issues = isFaulty ? faults : (file?.fileIssues ?? []);
  if (issues.length > 0) entries.unshift({ name: 'project.yaml', source: 'file', kind, issues });
  return entries;
}
