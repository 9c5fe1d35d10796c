import type { JSX } from 'react';
import type { Draft } from '../../model/draft.ts';
import { HOST_CHOICES, LABELS } from '../../model/draft-text.ts';
import styles from './editor.module.css';
import { Field, FieldMessages, Radio } from './Field.tsx';
import { useForm } from './form.ts';

const HINTS: Readonly<Record<Draft['hosts'], string>> = {
  project: 'The hosts of network in project.yaml, or else those that the service allows.',
  none: 'Its commands and tools cannot connect to any host.',
  listed:
    'One per line or separated by commas: api.github.com, *.example.org:443, or * for all public hosts.',
};

/** Selects the hosts that the agent may connect to: those of the project, none, or a list. */
export function HostsField(): JSX.Element {
  const { draft, change } = useForm();
  const { hosts } = draft;
  const hint = HINTS[hosts];
  return (
    <fieldset className={styles['group']}>
      <legend>{LABELS.hosts}</legend>
      <div className={styles['row']}>
        {(Object.keys(HOST_CHOICES) as Draft['hosts'][]).map((each) => (
          <Radio
            key={each}
            group="hosts"
            label={HOST_CHOICES[each]}
            isChosen={hosts === each}
            onChoose={() => change({ hosts: each })}
          />
        ))}
      </div>
      {hosts === 'listed' ? (
        <Field field="network" hint={hint}>
          {(tied) => (
            <textarea
              {...tied}
              className={`${styles['area']} ${styles['few']}`}
              value={draft.network}
              spellCheck={false}
              autoCapitalize="none"
              onChange={({ target }) => change({ network: target.value })}
            />
          )}
        </Field>
      ) : (
        <FieldMessages field="network" hint={hint} />
      )}
    </fieldset>
  );
}
