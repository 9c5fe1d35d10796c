import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { resumeTrigger } from '../data/pause-changes.ts';
import type { TriggerPath } from '../data/trigger-changes.ts';
import type { Entry } from '../model/entries.ts';
import { inertText } from '../model/inert-text.ts';
import styles from './controls.module.css';
import { useReadOnly } from './read-only.ts';

interface ResumeControlProps extends TriggerPath {
  /** The button label. */
  readonly label?: string;
  /** Called with the error when the request fails, and with null when the next one starts. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/** Resumes a trigger that was paused after failures, or is silent because the clock was set back. */
function ResumeControl({
  slug,
  name,
  label = 'Resume',
  onRefusal,
}: ResumeControlProps): JSX.Element {
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

interface ResumeButtonProps extends Pick<ResumeControlProps, 'onRefusal'> {
  readonly entry: Entry;
}

/** The resume button, for a trigger that is paused after failures or silent and can be resumed. */
export function ResumeButton({ entry, onRefusal }: ResumeButtonProps): JSX.Element | null {
  const path = { slug: entry.project, name: entry.name };
  if (entry.pause !== null) return <ResumeControl {...path} onRefusal={onRefusal} />;
  return entry.silence?.canResume ? (
    <ResumeControl {...path} label="Resume now" onRefusal={onRefusal} />
  ) : null;
}
