import { Switch } from '@base-ui/react/switch';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { setEnabled, type TriggerPath } from '../data/trigger-changes.ts';
import { inertText } from '../model/inert-text.ts';
import styles from './EnableSwitch.module.css';
import { useFileReadOnly } from './read-only.ts';

interface EnableSwitchProps extends TriggerPath {
  readonly enabled: boolean;
  /** Called with the error when the request fails, and with null when the next one starts. */
  readonly onRefusal: (refusal: Error | null) => void;
}

/**
 * Enables and disables a trigger: shows the new state at once, and reverts it when the service rejects the change.
 */
export function EnableSwitch({ slug, name, enabled, onRefusal }: EnableSwitchProps): JSX.Element {
  const queries = useQueryClient();
  const noWriting = useFileReadOnly(slug);
  const change = useMutation({
    mutationFn: (wanted: boolean) => setEnabled({ slug, name }, wanted),
    onMutate: () => onRefusal(null),
    onError: onRefusal,
    // The new state is shown until the list has it too.
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  return (
    <span className={styles['target']}>
      <Switch.Root
        className={styles['track']}
        checked={change.isPending ? change.variables : enabled}
        disabled={change.isPending || noWriting !== undefined}
        title={noWriting}
        onCheckedChange={(wanted) => change.mutate(wanted)}
        aria-label={`Enabled: ${inertText(name)}`}
      >
        <Switch.Thumb className={styles['thumb']} />
      </Switch.Root>
    </span>
  );
}
