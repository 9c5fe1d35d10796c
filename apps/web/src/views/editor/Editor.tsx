import { ApiError } from '@svc/client';
import { type FormEvent, type JSX, useEffect, useRef, useState } from 'react';
import type { Catalog } from '../../data/api-types.ts';
import { listedHosts } from '../../model/draft.ts';
import { inertText } from '../../model/inert-text.ts';
import { useHasWidth } from '../../parts/container-width.ts';
import controls from '../../parts/controls.module.css';
import { Notice } from '../../parts/Notice.tsx';
import { useFileReadOnly } from '../../parts/read-only.ts';
import { Conflict } from './Conflict.tsx';
import styles from './editor.module.css';
import { Field } from './Field.tsx';
import { FormContext } from './form.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { CapabilityText, FileChange, NextFires } from './Preview.tsx';
import { PromptSection } from './PromptSection.tsx';
import { AgentSection, LimitsSection, ScheduleSection } from './Sections.tsx';
import { StoredState } from './StoredState.tsx';
import { type EditorState, type Opening, useEditor } from './use-editor.ts';
import { useDebounced, useFieldMessages } from './use-field-messages.ts';
import { useSave } from './use-save.ts';

interface EditorProps {
  readonly opening: Opening;
  readonly catalog: Catalog;
}

/** The form of a trigger, with its preview and actions. */
export function Editor({ opening, catalog }: EditorProps): JSX.Element {
  const { slug, stored } = opening;
  const editor = useEditor(opening);
  const isLeaving = useRef(false);
  const [tries, setTries] = useState(0);
  const saving = useSave(opening, editor, isLeaving);
  const { save, isPending, error, runRefusal } = saving;
  const isAll = tries > 0 || stored !== null;
  const remarks = useFieldMessages(slug, editor, {
    refusal: error,
    isAll,
    isNew: opening.name === null,
  });
  const form = useRef<HTMLFormElement>(null);
  const noWriting = useFileReadOnly(slug);
  const isSame = stored !== null && !editor.isDirty;
  const held = noWriting ?? (isSame ? SAME : undefined);
  const trySave = async (isRun: boolean): Promise<void> => {
    if (held !== undefined) return;
    setTries((before) => before + 1);
    if (!remarks.hasOwn) await save(isRun);
  };
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries, error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void trySave(false);
  };
  const { draft, theirs, name } = editor;
  const shared = { slug, draft, catalog, ...remarks };
  const change: EditorState['change'] = (part) => {
    saving.reset();
    editor.change(part);
  };
  const rename = (next: string): void => {
    saving.reset();
    editor.setName(next);
  };
  return (
    <FormContext value={{ ...shared, change }}>
      {theirs === null ? null : (
        <Conflict name={name} mine={draft} theirs={theirs} onChoice={editor.resolve} />
      )}
      {noWriting === undefined ? null : (
        <Notice tone="idle">
          <p>{noWriting}</p>
        </Notice>
      )}
      {isSame ? <StoredState slug={slug} stored={stored} /> : null}
      <AddedHost opening={opening} editor={editor} />
      <form ref={form} onSubmit={submit} noValidate>
        <Columns opening={opening} editor={editor} edit={remarks.edit} onName={rename}>
          <div className={styles['save']}>
            <Refusals
              isNew={opening.name === null}
              error={error}
              runRefusal={runRefusal}
              elsewhere={remarks.elsewhere}
            />
            {opening.name === null ? (
              <p className={styles['hint']}>A new trigger is disabled until you enable it.</p>
            ) : null}
            <SaveButtons
              isHeld={isPending || theirs !== null}
              held={held}
              onWriteAndRun={() => void trySave(true)}
            />
          </div>
        </Columns>
      </form>
      <LeaveDialog isHeld={() => editor.isDirty && !isLeaving.current} />
    </FormContext>
  );
}

interface AddedHostProps {
  readonly opening: Opening;
  readonly editor: EditorState;
}

/** Says that the host of the opening is an unsaved change. */
function AddedHost({ opening, editor }: AddedHostProps): JSX.Element | null {
  const { allowHost } = opening;
  const isNew = editor.changed.includes('network');
  if (allowHost === undefined || !isNew || !listedHosts(editor.draft).includes(allowHost)) {
    return null;
  }
  return (
    <Notice tone="idle" role="status">
      <p>
        {inertText(allowHost)} is added to the hosts below. Save to allow it from the next run on.
      </p>
    </Notice>
  );
}

const SAME = 'No changes to save.';

interface SaveButtonsProps {
  readonly isHeld: boolean;
  /** Why saving is disabled; undefined when it is enabled. */
  readonly held: string | undefined;
  readonly onWriteAndRun: () => void;
}

function SaveButtons({ isHeld, held, onWriteAndRun }: SaveButtonsProps): JSX.Element {
  const state = { disabled: isHeld || held !== undefined, title: held };
  return (
    <>
      <button type="submit" className={controls['primary']} {...state}>
        Save to project.yaml
      </button>
      <button type="button" className={controls['button']} {...state} onClick={onWriteAndRun}>
        Save and run now
      </button>
    </>
  );
}

/** The width from which the preview is beside the form. */
const RAIL_PX = 840;

interface ColumnsProps {
  readonly opening: Opening;
  readonly editor: EditorState;
  readonly onName: (name: string) => void;
  readonly edit: Parameters<typeof FileChange>[0]['edit'];
  readonly children: JSX.Element;
}

function Columns({ opening, editor, edit, onName, children }: ColumnsProps): JSX.Element {
  const isWide = useHasWidth(RAIL_PX);
  const settled = useDebounced(editor.draft);
  const fires = <NextFires draft={settled} slug={opening.slug} stored={opening.stored} />;
  return (
    <div className={styles['columns']} data-wide={isWide || undefined}>
      <div className={styles['parts']}>
        {opening.name === null ? <NameField name={editor.name} onName={onName} /> : null}
        <ScheduleSection />
        {isWide ? null : fires}
        <PromptSection />
        <AgentSection />
        {isWide ? null : <CapabilityText slug={opening.slug} />}
        <LimitsSection />
      </div>
      <div className={styles['rail']}>
        {isWide ? fires : null}
        {isWide ? <CapabilityText slug={opening.slug} /> : null}
        <FileChange edit={edit} />
        {isWide ? children : null}
      </div>
      {isWide ? null : children}
    </div>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onName: (name: string) => void;
}

function NameField({ name, onName }: NameFieldProps): JSX.Element {
  return (
    <Field field="name" hint="The key in project.yaml, for example nightly-report.">
      {(tied) => (
        <input
          {...tied}
          className={styles['input']}
          value={name}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onName(target.value)}
        />
      )}
    </Field>
  );
}

interface RefusalsProps {
  readonly isNew: boolean;
  readonly error: Error | null;
  readonly runRefusal: string | null;
  readonly elsewhere: readonly string[];
}

function Refusals({ isNew, error, runRefusal, elsewhere }: RefusalsProps): JSX.Element | null {
  const isAtField =
    error instanceof ApiError &&
    (error.code === 'invalid' || (isNew && error.code === 'precondition_failed'));
  const said = [
    ...(error === null ? [] : [isAtField ? 'Not saved. Check the marked fields.' : error.message]),
    ...(runRefusal === null ? [] : [`Saved, but the run did not start: ${runRefusal}`]),
    ...elsewhere,
  ];
  if (said.length === 0) return null;
  return (
    <Notice tone="bad" role="alert">
      {said.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
}
