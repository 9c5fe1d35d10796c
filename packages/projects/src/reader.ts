import { type Checked, success } from '@svc/core';
import {
  type OpenProject,
  openProject,
  type ProjectFile,
  type ProjectRules,
  type TriggerEdit,
} from '@svc/trigger-schema';

/** The text after an edit, and its content. */
export interface EditedText {
  readonly text: string;
  readonly file: ProjectFile;
}

/** Reads and edits texts of `project.yaml`; `project` is the slug of the project that the text belongs to. */
export interface ProjectReader {
  read(text: string, project: string): Promise<Checked<ProjectFile>>;
  edit(text: string, edit: TriggerEdit, project: string): Promise<Checked<EditedText>>;
}

/** Options of a reader. */
export interface ReaderOptions {
  /** How many texts it keeps parsed, because a text is often edited after it was read. Default: 4. */
  readonly mostOpen?: number;
  /** Called each time a text is parsed as YAML. */
  readonly onRead?: (() => void) | undefined;
}

/** Creates a reader that works in the calling thread. */
export function createReader(
  rules: ProjectRules,
  { mostOpen = 4, onRead }: ReaderOptions = {},
): ProjectReader {
  const open = new Map<string, OpenProject>();
  const keep = (project: OpenProject): OpenProject => {
    open.delete(project.text);
    open.set(project.text, project);
    for (const text of open.keys()) {
      if (open.size <= mostOpen) break;
      open.delete(text);
    }
    return project;
  };
  const opened = (text: string): Checked<OpenProject> => {
    const known = open.get(text);
    const project = known === undefined ? openProject(text, rules, onRead) : success(known);
    return project.ok ? success(keep(project.value)) : project;
  };
  return {
    async read(text) {
      const project = opened(text);
      return project.ok ? success(project.value.file) : project;
    },
    async edit(text, edit) {
      const before = opened(text);
      const after = before.ok ? before.value.edited(edit) : before;
      if (!after.ok) return after;
      const { text: now, file } = keep(after.value);
      return success({ text: now, file });
    },
  };
}
