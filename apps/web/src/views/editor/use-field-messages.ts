import { ApiError } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { verdictQuery } from '../../data/editor-queries.ts';
import { issueText } from '../../model/describe.ts';
import type { DraftKey } from '../../model/draft.ts';
import { fieldOf, type Issue, ownIssues } from '../../model/draft-text.ts';
import type { EditorState } from './use-editor.ts';

const PATIENCE_MS = 300;
const TAKEN: Issue = { path: 'name', message: 'is already used by another trigger.' };

/** Debounces a value. */
export function useDebounced<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}

interface Refused {
  /** Why saving failed. */
  readonly refusal: Error | null;
  readonly isAll: boolean;
  /** Whether the trigger must not exist yet. */
  readonly isNew: boolean;
}

/**
 * Collects the messages of the fields: errors of the form, errors of the service, and warnings. An untouched field
 * shows no error until the user tries to save, unless `isAll`.
 */
export function useFieldMessages(
  slug: string,
  { draft, name, record, changed }: EditorState,
  { refusal, isAll, isNew }: Refused,
) {
  const settled = useDebounced({ name, record });
  const { data } = useQuery(verdictQuery({ slug, name: settled.name }, settled.record));
  const refused = refusalIssues(refusal, isNew);
  const issues = distinct([...ownIssues(draft, name), ...(data?.issues ?? []), ...refused]);
  const isTouched = (field: DraftKey | 'name' | null): boolean => {
    if (isAll || field === null) return isAll;
    return field === 'name' ? name !== '' : changed.includes(field);
  };
  const at = (all: readonly Issue[], field: DraftKey | 'name'): string[] =>
    all.filter((issue) => fieldOf(issue, draft) === field).map(issueText);
  const elsewhere = issues.filter((issue) => fieldOf(issue, draft) === null);
  return {
    issuesAt: (field: DraftKey | 'name') => (isTouched(field) ? at(issues, field) : []),
    warningsAt: (field: DraftKey | 'name') => at(data?.warnings ?? [], field),
    elsewhere: isAll ? elsewhere.map(issueText) : [],
    hasOwn: ownIssues(draft, name).length > 0,
    edit: data?.edit,
  };
}

function refusalIssues(refusal: Error | null, isNew: boolean): readonly Issue[] {
  if (!(refusal instanceof ApiError)) return [];
  return isNew && refusal.code === 'precondition_failed' ? [TAKEN] : refusal.issues;
}

function distinct(issues: readonly Issue[]): readonly Issue[] {
  return [...new Map(issues.map((issue) => [issueText(issue), issue])).values()];
}
