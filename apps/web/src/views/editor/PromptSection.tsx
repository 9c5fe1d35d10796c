import { useQuery } from '@tanstack/react-query';
import { type JSX, type ReactNode, Suspense, useState } from 'react';
import type { PromptFile } from '../../data/api-types.ts';
import { promptFilesQuery, promptTextQuery } from '../../data/editor-queries.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import { lazyComponent } from '../../parts/lazy-component.ts';
import { isNotFound } from '../../parts/Missing.tsx';
import { LongText } from '../transcript/LongText.tsx';
import styles from './editor.module.css';
import { Field, Radio, SelectField } from './Field.tsx';
import { useForm } from './form.ts';

const Markdown = lazyComponent(async () => (await import('../transcript/Markdown.tsx')).Markdown);

/** The prompt of each run. */
export function PromptSection(): JSX.Element {
  const { draft, change } = useForm();
  const isText = draft.promptFrom === 'text';
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>Prompt</legend>
      <div className={styles['row']}>
        <Radio
          group="prompt-from"
          label="Text"
          isChosen={isText}
          onChoose={() => change({ promptFrom: 'text' })}
        />
        <Radio
          group="prompt-from"
          label="File"
          isChosen={!isText}
          onChoose={() => change({ promptFrom: 'file' })}
        />
      </div>
      {isText ? <PromptText /> : <PromptFileField />}
    </fieldset>
  );
}

function PromptText(): JSX.Element {
  const { draft, change } = useForm();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Field field="prompt" label="Prompt text">
        {(tied) => (
          <textarea
            {...tied}
            className={styles['area']}
            value={draft.prompt}
            onChange={({ target }) => change({ prompt: target.value })}
          />
        )}
      </Field>
      <button
        type="button"
        className={controls['button']}
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide preview' : 'Preview'}
      </button>
      {isShown ? (
        <Shown label="Prompt preview">
          <Suspense fallback={null}>
            <Markdown text={inertText(draft.prompt)} />
          </Suspense>
        </Shown>
      ) : null}
    </>
  );
}

function PromptFileField(): JSX.Element {
  const { slug, draft } = useForm();
  const { data: files } = useQuery(promptFilesQuery(slug));
  return (
    <>
      <SelectField
        field="promptFile"
        options={optionsOf(files ?? [], draft.promptFile)}
        hint={
          files?.length === 0
            ? 'No prompt files yet. Add a .md file to .svc/triggers.'
            : 'A .md file in .svc/triggers. It is read again for each run.'
        }
      />
      {draft.promptFile === '' ? null : <FileText slug={slug} file={draft.promptFile} />}
    </>
  );
}

function optionsOf(files: readonly PromptFile[], chosen: string): Record<string, string> {
  const known = files.map(({ name, usedBy }) => [
    name,
    inertText(usedBy.length === 0 ? name : `${name} (used by ${usedBy.join(', ')})`),
  ]);
  return { ...(chosen === '' && { '': 'Select a file' }), ...Object.fromEntries(known) };
}

/** The content of a prompt file. A missing file is already reported at the field. */
function FileText({ slug, file }: { readonly slug: string; readonly file: string }) {
  const { data, error } = useQuery(promptTextQuery(slug, file));
  if (error !== null) {
    return isNotFound(error) ? null : <p className={styles['issue']}>{error.message}</p>;
  }
  if (data === undefined) return null;
  return (
    <Shown label={`Contents of ${file}`}>
      {data.trim() === '' ? <p className={styles['hint']}>The file is empty.</p> : null}
      <LongText text={data} what="file" />
    </Shown>
  );
}

interface ShownProps {
  readonly label: string;
  readonly children: ReactNode;
}

function Shown({ label, children }: ShownProps): JSX.Element {
  return (
    <section
      className={styles['shown']}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  );
}
