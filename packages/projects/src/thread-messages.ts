import type { Checked } from '@svc/core';
import type { ProjectFile, ProjectRules, TriggerEdit } from '@svc/trigger-schema';
import type { EditedText } from './reader.ts';

/** The data with which a reader thread is started. */
export interface ReaderData {
  readonly rules: ProjectRules;
}

/** A job for a reader thread: read a text of a project, or edit it. */
export type Job = ReadJob | (ReadJob & { readonly edit: TriggerEdit });

interface ReadJob {
  readonly project: string;
  readonly text: string;
}

/** Its answer. Before that, it sends null for each text that it parses. */
export interface Answer {
  readonly result: Checked<ProjectFile> | Checked<EditedText>;
}
