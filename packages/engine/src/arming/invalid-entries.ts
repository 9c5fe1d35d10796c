import type { Issue } from '@svc/core';
import type { Source } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';

/** An invalid entry, or the whole file (`project.yaml`), and why it is invalid. */
export interface InvalidEntry {
  readonly name: string;
  readonly source: Source | 'file';
  /** `unreadable`: the whole file, so that its last valid version stays in effect. */
  readonly kind: 'invalid' | 'unreadable';
  readonly issues: readonly Issue[];
}

/** The invalid entries of a project file, and why they are invalid. */
export function invalidOf(file: ProjectFile | null, faults: readonly Issue[]): InvalidEntry[] {
  const entries: InvalidEntry[] = (file?.invalid ?? []).map((entry) => ({
    ...entry,
    kind: 'invalid',
  }));
  const kind = faults.length > 0 ? 'unreadable' : 'invalid';
  const issues = kind === 'unreadable' ? faults : (file?.fileIssues ?? []);
  if (issues.length > 0) entries.unshift({ name: 'project.yaml', source: 'file', kind, issues });
  return entries;
}
