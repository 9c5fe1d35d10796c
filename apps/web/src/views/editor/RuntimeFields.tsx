import type { JSX } from 'react';
import { type DraftRuntime, useDraftRuntime } from '../../data/use-runtimes.ts';
import { inertText } from '../../model/inert-text.ts';
import { enforcedLimitsText, readyText, unenforcedLimitsText } from '../../model/runtime-text.ts';
import styles from './editor.module.css';
import { SelectField, TextField } from './Field.tsx';
import { useForm } from './form.ts';

/** Selects the runtime and the model. Default values are not saved. */
export function RuntimeFields(): JSX.Element {
  const { slug, draft } = useForm();
  const runtime = useDraftRuntime(slug, draft);
  const { chosen, keeperModel } = runtime;
  return (
    <div className={styles['row']}>
      <SelectField
        field="runtime"
        options={optionsOf(runtime)}
        warnings={chosen === undefined ? [] : unenforcedLimitsText(draft, chosen)}
        hint={
          chosen === undefined
            ? undefined
            : `${chosen.id} ${enforcedLimitsText(chosen).join('; ')}.`
        }
      />
      <TextField
        field="model"
        placeholder={`Keeper default${keeperModel === null ? '' : ` (${inertText(keeperModel)})`}`}
        hint="The runtime's name for the model. playbook uses no AI: it runs the fenced blocks of the prompt."
      />
    </div>
  );
}

function optionsOf({ runtimes, fallback, isOfProject }: DraftRuntime): Record<string, string> {
  const taken = runtimes.find(({ id }) => id === fallback);
  const whose = isOfProject ? 'project default' : 'default';
  const name = fallback === undefined ? whose : `${whose} (${fallback})`;
  const named = runtimes.map((each) => [each.id, `${each.id}, ${readyText(each)}`] as const);
  return {
    '': taken === undefined ? name : `${name}, ${readyText(taken)}`,
    ...Object.fromEntries(named),
  };
}
