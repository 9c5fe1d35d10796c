import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FenceCall, FenceWorld } from './fence-case.ts';

/** The notebook among the files of `sampleInput`. */
export const SAMPLE_NOTEBOOK = 'n.ipynb';
const NOTEBOOK = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** A call of Read. */
export const read = (path: string): FenceCall => ({ name: 'Read', input: { file_path: path } });
/** A call of Write. */
export const write = (path: string): FenceCall => ({
  name: 'Write',
  input: { file_path: path, content: 'written\n' },
});

/** Calls of every file tool on the folder of the secret, through the given path. */
export function everyFileTool(folder: string): readonly FenceCall[] {
  return [
    read(`${folder}/secret.txt`),
    write(`${folder}/new.txt`),
    write(`${folder}/secret.txt`),
    {
      name: 'Edit',
      input: { file_path: `${folder}/secret.txt`, old_string: 'secret', new_string: 'open' },
    },
    {
      name: 'NotebookEdit',
      input: {
        notebook_path: `${folder}/secret.txt`,
        new_source: 'x',
        cell_type: 'code',
        edit_mode: 'insert',
      },
    },
    { name: 'Glob', input: { pattern: '*', path: folder } },
    { name: 'Grep', input: { pattern: 'secret', path: folder, output_mode: 'content' } },
  ];
}

/** An input with which a tool would change something, or at least work. */
export function sampleInput(name: string): unknown {
  const inputs: Readonly<Record<string, unknown>> = {
    Read: { file_path: 'a.txt' },
    Glob: { pattern: '*' },
    Grep: { pattern: 'a' },
    Edit: { file_path: 'a.txt', old_string: 'a', new_string: 'b' },
    Write: { file_path: 'b.txt', content: 'b' },
    NotebookEdit: {
      notebook_path: SAMPLE_NOTEBOOK,
      new_source: 'x',
      cell_type: 'code',
      edit_mode: 'insert',
    },
    Bash: { command: 'touch b.txt' },
    WebFetch: { url: 'https://example.org/' },
    Task: { prompt: 'Do it.' },
  };
  return inputs[name] ?? {};
}

/** Creates the files of `sampleInput`. */
export async function sampleFiles({ project }: FenceWorld): Promise<undefined> {
  await writeFile(join(project, 'a.txt'), 'a');
  await writeFile(join(project, SAMPLE_NOTEBOOK), NOTEBOOK);
}

/** The original content of those files. */
export const UNCHANGED: Readonly<Record<string, string | null>> = {
  'a.txt': 'a',
  'b.txt': null,
  [SAMPLE_NOTEBOOK]: NOTEBOOK,
};
