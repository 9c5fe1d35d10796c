import type { Checked } from '@svc/core';
import type { ProjectFile, ProjectRules, TriggerEdit } from '@svc/trigger-schema';
import type { EditedText } from './reader.ts';

/** What a reading thread is started with. */
export interface ReaderData {
  readonly rules: ProjectRules;
}

/** What a reading thread is asked: to read a text of a project, or to edit it. */
export type Job = ReadJob | (ReadJob & { readonly edit: TriggerEdit });

interface ReadJob {
  readonly project: string;
  readonly text: string;
}

/** What it answers; before that it says null for each text that it reads. */
export interface Answer {
  readonly result: Checked<ProjectFile> | Checked<EditedText>;
}
