import type { Issue } from '@svc/core';
import type { ProjectFile } from '@svc/trigger-schema';
import type { InvalidEntry } from '../trigger-results.ts';

/** The invalid entries of a project file, and why they are invalid. */
export function invalidOf(file: ProjectFile | null, faults: readonly Issue[]): InvalidEntry[] {
  const entries: InvalidEntry[] = [...(file?.invalid ?? [])];
  const issues = faults.length > 0 ? faults : (file?.fileIssues ?? []);
  if (issues.length > 0) entries.unshift({ name: 'project.yaml', source: 'file', issues });
  return entries;
}
