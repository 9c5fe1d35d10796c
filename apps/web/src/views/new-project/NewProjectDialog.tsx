import { Dialog } from '@base-ui/react/dialog';
import { Field } from '@base-ui/react/field';
import { Form } from '@base-ui/react/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import {
  createProject,
  EMPTY_DRAFT,
  fieldErrors,
  type ProjectDraft,
} from '../../data/new-project.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import dialogs from '../../parts/dialogs.module.css';
import { Notice } from '../../parts/Notice.tsx';
import { usePopupContainer } from '../../parts/popup-container.ts';
import styles from './NewProjectDialog.module.css';

interface NewProjectDialogProps {
  readonly draft: ProjectDraft;
  readonly onDraft: (draft: ProjectDraft) => void;
  readonly onClose: () => void;
}

/** Creates a project: an empty one, or a clone of a git repository. */
export function NewProjectDialog({ draft, onDraft, onClose }: NewProjectDialogProps): JSX.Element {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: createProject,
    onSuccess: async ({ slug, warnings = [] }) => {
      onDraft(EMPTY_DRAFT);
      await queries.invalidateQueries({ queryKey: ['projects'] });
      if (warnings.length > 0) return;
      onClose();
      await navigate({ to: '/projects/$slug', params: { slug } });
    },
  });
  const drop = (): void => {
    onDraft(EMPTY_DRAFT);
    onClose();
  };
  const made = creation.data;
  return (
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
    >
      <Dialog.Portal container={usePopupContainer()}>
        <Dialog.Backdrop className={dialogs['backdrop']} />
        <Dialog.Popup className={dialogs['dialog']}>
          <Dialog.Title className={dialogs['title']}>New project</Dialog.Title>
          {made === undefined ? (
            <>
              <Dialog.Description className={dialogs['words']}>
                A project is a folder with a project.yaml. Start with an empty one or clone a git
                repository.
              </Dialog.Description>
              <Form
                errors={fieldErrors(creation.error)}
                onSubmit={(event) => {
                  event.preventDefault();
                  creation.mutate(draft);
                }}
              >
                <Fields draft={draft} onDraft={onDraft} />
                <Refusal error={creation.error} />
                <div className={dialogs['buttons']}>
                  <button type="button" className={controls['button']} onClick={drop}>
                    Cancel
                  </button>
                  <button
                    type="submit"
                    className={controls['primary']}
                    disabled={creation.isPending}
                  >
                    {wordOf(draft, creation.isPending)}
                  </button>
                </div>
              </Form>
            </>
          ) : (
            <Made
              name={made.name}
              warnings={made.warnings ?? []}
              onGo={() => {
                onClose();
                void navigate({ to: '/projects/$slug', params: { slug: made.slug } });
              }}
            />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function wordOf({ kind }: ProjectDraft, isPending: boolean): string {
  if (kind === 'empty') return isPending ? 'Creating' : 'Create';
  return isPending ? 'Cloning, this can take a few minutes' : 'Clone';
}

type FieldsProps = Pick<NewProjectDialogProps, 'draft' | 'onDraft'>;

function Fields({ draft, onDraft }: FieldsProps): JSX.Element {
  const bound = (name: Exclude<keyof ProjectDraft, 'kind'>) => ({
    name,
    value: draft[name],
    onValue: (value: string) => onDraft({ ...draft, [name]: value }),
  });
  return (
    <div className={styles['fields']}>
      <fieldset className={styles['kinds']}>
        <legend>Start with</legend>
        {(['empty', 'clone'] as const).map((kind) => (
          <label key={kind} className={styles['kind']}>
            <input
              type="radio"
              name="kind"
              checked={draft.kind === kind}
              onChange={() => onDraft({ ...draft, kind })}
            />
            {kind === 'empty' ? 'An empty project' : 'A clone of a git repository'}
          </label>
        ))}
      </fieldset>
      {draft.kind === 'clone' ? (
        <Text
          {...bound('repo')}
          label="Git repository"
          hint="https://host/path, ssh://host/path or user@host:path, without passwords. Triggers enabled in the repository are armed immediately."
          isRequired
        />
      ) : null}
      <Text {...bound('name')} label="Name" hint="The display name." isRequired />
      <Text
        {...bound('slug')}
        label="Folder"
        hint="Letters, digits, dots, _ and -. Defaults to the name in lower case."
      />
      <Text {...bound('summary')} label="Summary" hint="One sentence about the project." />
    </div>
  );
}

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly isRequired?: boolean;
}

function Text({ name, label, hint, value, onValue, isRequired = false }: TextProps): JSX.Element {
  return (
    <Field.Root name={name} className={styles['field']}>
      <Field.Label className={styles['label']}>
        {label}
        {isRequired ? null : <span className={styles['quiet']}> (optional)</span>}
      </Field.Label>
      <Field.Control
        className={controls['field']}
        value={value}
        onValueChange={onValue}
        required={isRequired}
        autoComplete="off"
      />
      <Field.Error className={styles['error']} />
      <Field.Description className={styles['quiet']}>{hint}</Field.Description>
    </Field.Root>
  );
}

const SHOWN_AT_FIELDS = new Set(['name', 'slug', 'repo', 'summary']);

/** The message of the service about the whole form. */
function Refusal({ error }: { readonly error: Error | null }): JSX.Element | null {
  if (error === null) return null;
  const issues = Object.entries(fieldErrors(error));
  if (issues.length > 0 && issues.every(([path]) => SHOWN_AT_FIELDS.has(path))) return null;
  return (
    <p role="alert" className={styles['error']}>
      {error.message}
    </p>
  );
}

interface MadeProps {
  readonly name: string;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  readonly onGo: () => void;
}

function Made({ name, warnings, onGo }: MadeProps): JSX.Element {
  return (
    <>
      <Notice tone="warn" role="status" title={`${inertText(name)} was created.`}>
        <ul>
          {warnings.map(({ path, message }) => (
            <li key={path}>
              {path} {message}
            </li>
          ))}
        </ul>
      </Notice>
      <div className={dialogs['buttons']}>
        <button type="button" className={controls['primary']} onClick={onGo}>
          Open project
        </button>
      </div>
    </>
  );
}
