export type { TextChange } from './editing.ts';
export { type EditError, ProjectsError } from './errors.ts';
export { PROJECT_FILE, PROMPT_FOLDERS } from './paths.ts';
export {
  createProjects,
  type LastGood,
  type ProjectSnapshot,
  type Projects,
  type ProjectsOptions,
} from './projects.ts';
