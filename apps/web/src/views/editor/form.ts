import { createContext, useContext } from 'react';
import type { Catalog } from '../../data/shapes.ts';
import type { Draft, DraftKey } from '../../model/draft.ts';

/** What the parts of the form share. */
export interface Form {
  /** Project of the trigger. */
  readonly slug: string;
  readonly draft: Draft;
  readonly catalog: Catalog;
  readonly change: (part: Partial<Draft>) => void;
  /** Sentences about a field that are shown there. */
  readonly issuesAt: (key: DraftKey | 'name') => readonly string[];
  readonly warningsAt: (key: DraftKey | 'name') => readonly string[];
}

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === null) throw new Error('A part of the form stands outside of it.');
  return form;
}
