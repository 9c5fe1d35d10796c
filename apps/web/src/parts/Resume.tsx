import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { resumeTrigger } from '../data/pausing.ts';
import type { TriggerPath } from '../data/trigger-changes.ts';
import type { Entry } from '../model/entries.ts';
import { inertText } from '../model/inert.ts';
import styles from './controls.module.css';
import { useReadOnly } from './read-only.ts';

interface ResumeProps extends TriggerPath {
  /** What it does, in a word or two. */
  readonly label?: string;
  /** Told of a refusal, or of null when it is over. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/** Has a trigger go on that was paused after failures, or is silent because its clock was set back. */
function Resume({ slug, name, label = 'Resume', onRefusal }: ResumeProps): JSX.Element {
  const queries = useQueryClient();
  const readOnly = useReadOnly();
  const resume = useMutation({
    mutationFn: () => resumeTrigger({ slug, name }),
    onMutate: () => onRefusal(null),
    onError: onRefusal,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['projects'] }),
        queries.invalidateQueries({ queryKey: ['project', slug] }),
      ]),
  });
  return (
    <button
      type="button"
      className={styles['button']}
      disabled={resume.isPending || readOnly !== undefined}
      title={readOnly}
      onClick={() => resume.mutate()}
      aria-label={`${label}: ${inertText(name)}`}
    >
      {label}
    </button>
  );
}

interface GoOnProps extends Pick<ResumeProps, 'onRefusal'> {
  readonly entry: Entry;
}

/** The button that has a trigger go on, where that is paused after failures or silent and could. */
export function GoOn({ entry, onRefusal }: GoOnProps): JSX.Element | null {
  const path = { slug: entry.project, name: entry.name };
  if (entry.pause !== null) return <Resume {...path} onRefusal={onRefusal} />;
  return entry.silence?.canGoOn ? (
    <Resume {...path} label="Resume now" onRefusal={onRefusal} />
  ) : null;
}
