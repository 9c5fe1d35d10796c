import type { JSX, ReactNode } from 'react';
import type { Draft, DraftKey } from '../../model/draft.ts';
import { LABELS } from '../../model/draft-text.ts';
import { inertText } from '../../model/inert-text.ts';
import styles from './editor.module.css';
import { useForm } from './form.ts';

/** The attributes that connect a control to its label and its messages. */
interface ControlIds {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

interface FieldProps {
  readonly field: DraftKey | 'name';
  readonly label?: string;
  readonly hint?: ReactNode;
  /** The warnings of the form itself, in sentences. */
  readonly warnings?: readonly string[] | undefined;
  readonly children: (tied: ControlIds) => ReactNode;
}

/** A labeled control with its hint, warnings and errors. */
export function Field({ field, label, hint, warnings, children }: FieldProps): JSX.Element {
  const id = `field-${field}`;
  const { issuesAt } = useForm();
  const tied = {
    id,
    'aria-invalid': issuesAt(field).length > 0,
    'aria-describedby': `${id}-said`,
  };
  return (
    <div className={`${styles['field']} ${styles['wide']}`}>
      <label htmlFor={id}>{label ?? (field === 'name' ? 'Name' : LABELS[field])}</label>
      {children(tied)}
      <FieldMessages field={field} hint={hint} warnings={warnings} />
    </div>
  );
}

/** The hint, warnings and errors of a field. */
export function FieldMessages({
  field,
  hint,
  warnings = [],
}: Pick<FieldProps, 'field' | 'hint' | 'warnings'>): JSX.Element {
  const { issuesAt, warningsAt } = useForm();
  return (
    <div id={`field-${field}-said`}>
      {issuesAt(field).map((text) => (
        <p key={text} className={styles['issue']}>
          {inertText(text)}
        </p>
      ))}
      {[...warnings, ...warningsAt(field)].map((text) => (
        <p key={text} className={styles['warning']}>
          {inertText(text)}
        </p>
      ))}
      {hint === undefined ? null : <p className={styles['hint']}>{hint}</p>}
    </div>
  );
}

type TextKey = { [K in DraftKey]: string extends Draft[K] ? K : never }[DraftKey];

interface TextFieldProps {
  readonly field: TextKey;
  readonly hint?: ReactNode;
  readonly list?: string;
  readonly isMono?: boolean;
  readonly placeholder?: string;
}

/** A single-line field. */
export function TextField({ field, hint, isMono = false, ...rest }: TextFieldProps): JSX.Element {
  const { draft, change } = useForm();
  return (
    <Field field={field} hint={hint}>
      {(tied) => (
        <input
          {...tied}
          {...rest}
          className={`${styles['input']} ${isMono ? styles['mono'] : ''}`}
          value={draft[field]}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => change({ [field]: target.value })}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps {
  readonly field: TextKey;
  readonly options: Readonly<Record<string, string>>;
  readonly hint?: ReactNode;
  readonly warnings?: readonly string[];
}

/** A field with a fixed set of values; a value that is not in the set is kept as an option. */
export function SelectField({ field, options, hint, warnings }: SelectFieldProps): JSX.Element {
  const { draft, change } = useForm();
  const known = Object.hasOwn(options, draft[field]);
  const all = known ? options : { ...options, [draft[field]]: draft[field] };
  return (
    <Field field={field} hint={hint} warnings={warnings}>
      {(tied) => (
        <select
          {...tied}
          className={styles['input']}
          value={draft[field]}
          onChange={({ target }) => change({ [field]: target.value })}
        >
          {Object.entries(all).map(([value, text]) => (
            <option key={value} value={value}>
              {inertText(text)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface RadioProps {
  readonly group: string;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

export function Radio({ group, label, isChosen, onChoose }: RadioProps): JSX.Element {
  return (
    <label className={styles['choice']}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}
