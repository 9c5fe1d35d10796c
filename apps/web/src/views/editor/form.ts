import { createContext, useContext } from 'react';
import type { Catalog } from '../../data/api-types.ts';
import type { Draft, DraftKey } from '../../model/draft.ts';

/** The state that the sections of the form share. */
export interface Form {
  /** The project of the trigger. */
  readonly slug: string;
  readonly draft: Draft;
  readonly catalog: Catalog;
  readonly change: (part: Partial<Draft>) => void;
  /** The errors of a field, as sentences. */
  readonly issuesAt: (key: DraftKey | 'name') => readonly string[];
  readonly warningsAt: (key: DraftKey | 'name') => readonly string[];
}

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === null) throw new Error('A part of the form stands outside of it.');
  return form;
}
