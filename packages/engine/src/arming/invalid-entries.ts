import type { Issue } from '@svc/core';
import type { Source } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';

/** An invalid entry, or the whole file (`project.yaml`), and why it is invalid. */
export interface InvalidEntry {
  readonly name: string;
  readonly source: Source | 'file';
  readonly issues: readonly Issue[];
}

/** The invalid entries of a project file, and why they are invalid. */
export function invalidOf(file: ProjectFile | null, faults: readonly Issue[]): InvalidEntry[] {
  const entries: InvalidEntry[] = [...(file?.invalid ?? [])];
  const issues = faults.length > 0 ? faults : (file?.fileIssues ?? []);
  if (issues.length > 0) entries.unshift({ name: 'project.yaml', source: 'file', issues });
  return entries;
}
