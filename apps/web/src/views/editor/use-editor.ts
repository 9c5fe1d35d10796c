import { useMemo, useState } from 'react';
import type { StoredTrigger, TriggerPut } from '../../data/api-types.ts';
import type { Precondition } from '../../data/trigger-changes.ts';
import {
  applyChanges,
  changedKeys,
  type Draft,
  draftOf,
  recordOf,
  withHost,
} from '../../model/draft.ts';

/** The initial state of an editor. */
export interface Opening {
  readonly slug: string;
  /** Null for a new trigger, which is named in the form. */
  readonly name: string | null;
  /** The initial content of the form. */
  readonly record: TriggerPut;
  /** The stored trigger; null when there is no valid one. */
  readonly stored: StoredTrigger | null;
  /** The precondition of the first save. */
  readonly condition: Precondition;
  /** A host to add to the hosts of the trigger, as an unsaved change; undefined for none. */
  readonly allowHost?: string | undefined;
}

export type Choice = 'mine' | 'theirs' | 'top';

/** The state of an editor: a draft on top of the version that was read, and the current version of the file. */
export function useEditor({ name: given, record, stored, condition, allowHost }: Opening) {
  const [base, setBase] = useState({ record, stored });
  const [draft, setDraft] = useState(() =>
    allowHost === undefined ? draftOf(record) : withHost(draftOf(record), allowHost),
  );
  const [name, setName] = useState(given ?? '');
  const baseDraft = useMemo(() => draftOf(base.record), [base.record]);
  const changed = changedKeys(draft, baseDraft);
  const isDirty = changed.length > 0 || (given === null && name !== '');
  const adopt = (next: StoredTrigger, wanted: Draft): void => {
    setBase({ record: next.record, stored: next });
    setDraft(wanted);
  };
  const isNewer = stored !== null && stored.etag !== base.stored?.etag;
  const theirDraft = isNewer ? draftOf(stored.record) : baseDraft;
  const isConflict = isNewer && isDirty && changedKeys(theirDraft, baseDraft).length > 0;
  // Fields without edits follow the file, and so do the fields that the form does not show.
  if (isNewer && !isConflict) adopt(stored, isDirty ? draft : theirDraft);
  return {
    draft,
    name,
    setName,
    changed,
    isDirty,
    record: recordOf(draft, base.record),
    condition: stored === null || base.stored === null ? condition : { ifMatch: base.stored.etag },
    theirs: isConflict ? theirDraft : null,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    written: (next: StoredTrigger) => adopt(next, draftOf(next.record)),
    resolve: (choice: Choice) => {
      if (stored === null) return;
      const tops = {
        mine: draft,
        theirs: theirDraft,
        top: applyChanges(draft, baseDraft, theirDraft),
      };
      adopt(stored, tops[choice]);
    },
  };
}

export type EditorState = ReturnType<typeof useEditor>;
