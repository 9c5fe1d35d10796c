import { randomUUID } from 'node:crypto';
import { counted, failure, isRecord, type Result, success } from '@svc/core';
import { createValidator } from '@svc/schema';
import { indentedBytes, jsonExcess } from '../json-shape.ts';
import { MAX_FILE_BYTES, tooLarge } from '../limited-folder.ts';
import { textOf } from '../text-file.ts';
import { checkedTool, error, faultResult, ok, type Tool } from './tool.ts';

// Chart outputs are nested deeper than other JSON that svc accepts.
const MOST_LEVELS = 100;

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['notebook_path'],
  properties: {
    notebook_path: {
      type: 'string',
      minLength: 1,
      description: 'Path of an .ipynb file in the project.',
    },
    cell_id: { type: 'string', description: 'Id of the cell.' },
    cell_number: {
      type: 'integer',
      minimum: 0,
      description: 'Index of the cell, starting at 0, if cell_id is not given.',
    },
    new_source: { type: 'string', description: 'New source of the cell.' },
    cell_type: {
      type: 'string',
      enum: ['code', 'markdown', 'raw'],
      description: 'Cell type. Required for insert.',
    },
    edit_mode: {
      type: 'string',
      enum: ['replace', 'insert', 'delete'],
      description:
        'Default: replace. insert adds a cell after the given one, or at the start if none is given.',
    },
  },
} as const;

interface NotebookInput {
  readonly cell_id?: string;
  readonly cell_number?: number;
  readonly new_source?: string;
  readonly cell_type?: 'code' | 'markdown' | 'raw';
  readonly edit_mode?: 'replace' | 'insert' | 'delete';
}

type Cell = Record<string, unknown>;

interface Notebook extends Record<string, unknown> {
  readonly cells: Cell[];
}

/** Creates the tool that edits one cell of a Jupyter notebook (nbformat 4). */
export function createNotebookEditTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'NotebookEdit',
    description: 'Replace, insert or delete one cell of a Jupyter notebook in the project.',
    inputSchema,
    // An empty source is valid.
    reading: { keepsEmpty: (name) => name === 'new_source' },
    makeCheck,
    async run(input, { folder, rights, signal }) {
      const path = input.notebook_path;
      const read = await folder.read(path, MAX_FILE_BYTES);
      if (!read.ok) return faultResult(read.error);
      const text = textOf(read.value.bytes) ?? '';
      const excess = jsonExcess(text, MOST_LEVELS);
      if (excess !== null) return error(`${path} cannot be edited: it is ${excess}.`);
      const notebook = notebookOf(text);
      if (notebook === null) return error(`${path} is not a notebook (JSON with a list of cells).`);
      const edited = edit(notebook, input);
      if (!edited.ok) return error(edited.error);
      // Indentation can enlarge the file considerably.
      if (indentedBytes(JSON.stringify(notebook)) >= MAX_FILE_BYTES) return error(tooLarge(path));
      const content = Buffer.from(`${JSON.stringify(notebook, null, 1)}\n`);
      const instead = read.value.bytes;
      const written = await folder.write(path, content, { rights, signal, instead });
      return written.ok
        ? ok(`${edited.value} in ${written.value.place}.`)
        : faultResult(written.error);
    },
  });
}

function notebookOf(text: string): Notebook | null {
  try {
    const parsed = JSON.parse(text) as Partial<Notebook> | null;
    const cells = parsed?.cells;
    const good = Array.isArray(cells) && cells.every(isRecord);
    return good ? (parsed as Notebook) : null;
  } catch {
    // Not JSON: not a notebook.
    return null;
  }
}

function edit(notebook: Notebook, input: NotebookInput): Result<string, string> {
  const mode = input.edit_mode ?? 'replace';
  const at = placeOf(notebook, input);
  if (!at.ok) return at;
  if (mode === 'insert') return insert(notebook, at.value, input);
  const cell = at.value === null ? undefined : notebook.cells[at.value];
  if (at.value === null || cell === undefined) {
    return failure('cell_id or cell_number is required to replace or delete a cell.');
  }
  if (mode === 'delete') {
    notebook.cells.splice(at.value, 1);
    return success(`Deleted cell ${at.value}`);
  }
  if (input.new_source === undefined) return failure('new_source is required.');
  retype(cell, input.cell_type ?? String(cell['cell_type']));
  cell['source'] = linesOf(input.new_source);
  return success(`Replaced cell ${at.value}`);
}

function placeOf(notebook: Notebook, input: NotebookInput): Result<number | null, string> {
  if (input.cell_id !== undefined) {
    const at = notebook.cells.findIndex((cell) => cell['id'] === input.cell_id);
    return at === -1 ? failure(`There is no cell with the id ${input.cell_id}.`) : success(at);
  }
  if (input.cell_number === undefined) return success(null);
  return input.cell_number < notebook.cells.length
    ? success(input.cell_number)
    : failure(`The notebook has only ${counted(notebook.cells.length, 'cell')}, counted from 0.`);
}

function insert(
  notebook: Notebook,
  after: number | null,
  input: NotebookInput,
): Result<string, string> {
  if (input.new_source === undefined) return failure('new_source is required.');
  if (input.cell_type === undefined) return failure('cell_type is required to insert a cell.');
  const cell: Cell = { cell_type: '', metadata: {}, source: linesOf(input.new_source) };
  retype(cell, input.cell_type);
  // Cells have ids since nbformat 4.5.
  if (Number(notebook['nbformat_minor']) >= 5) cell['id'] = randomUUID().slice(0, 8);
  const at = after === null ? 0 : after + 1;
  notebook.cells.splice(at, 0, cell);
  return success(`Inserted cell ${at}`);
}

// Only code cells have outputs, and the old outputs do not belong to the new code.
function retype(cell: Cell, type: string): void {
  cell['cell_type'] = type;
  delete cell['outputs'];
  delete cell['execution_count'];
  if (type === 'code') Object.assign(cell, { outputs: [], execution_count: null });
}

function linesOf(source: string): readonly string[] {
  return source === '' ? [] : source.split(/(?<=\n)/);
}
