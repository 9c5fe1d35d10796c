import { createValidator } from '@svc/core';
import { textOf } from '../text-file.ts';
import { checkedTool, error, faultResult, MAX_FILE_BYTES, ok, type Tool } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['file_path', 'old_string', 'new_string'],
  properties: {
    file_path: { type: 'string', minLength: 1, description: 'Path below the project folder.' },
    old_string: {
      type: 'string',
      minLength: 1,
      description: 'Text to replace, exactly as it stands.',
    },
    new_string: { type: 'string', description: 'Text to put there.' },
    replace_all: {
      type: 'boolean',
      description: 'Replace every place; default: there must be one.',
    },
  },
} as const;

/** Makes the tool that replaces text in a file. */
export function createEditTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Edit',
    description: 'Replace an exact piece of text in a file of the project folder.',
    inputSchema,
    makeCheck,
    async run(input, { folder, rights, signal }) {
      const path = input.file_path;
      const read = await folder.read(path, MAX_FILE_BYTES);
      if (!read.ok) return faultResult(read.error);
      const text = textOf(read.value.bytes);
      if (text === null) return error(`${path} is not UTF-8 text.`);
      const pieces = text.split(input.old_string);
      const fault = faultOf(path, pieces.length - 1, input);
      if (fault !== null) return error(fault);
      const content = Buffer.from(pieces.join(input.new_string));
      const instead = read.value.bytes;
      const written = await folder.write(path, content, { rights, signal, instead });
      if (!written.ok) return faultResult(written.error);
      const places = pieces.length - 1;
      return ok(
        `Replaced ${places} ${places === 1 ? 'place' : 'places'} in ${written.value.place}.`,
      );
    },
  });
}

function faultOf(
  path: string,
  found: number,
  input: { old_string: string; new_string: string; replace_all?: boolean },
): string | null {
  if (input.old_string === input.new_string) return 'old_string and new_string are the same.';
  if (found === 0) return `old_string does not stand in ${path}.`;
  if (found === 1 || input.replace_all === true) return null;
  return `old_string stands ${found} times in ${path}: give more of its surroundings, or set replace_all.`;
}
