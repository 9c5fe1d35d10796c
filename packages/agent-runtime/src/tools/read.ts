import { createValidator } from '@svc/core';
import { textOf } from '../text-file.ts';
import { checkedTool, error, faultResult, MAX_FILE_BYTES, ok, type Tool } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['file_path'],
  properties: {
    file_path: { type: 'string', minLength: 1, description: 'Path below the project folder.' },
    offset: { type: 'integer', minimum: 1, description: 'First line to read, from 1.' },
    limit: { type: 'integer', minimum: 1, description: 'Most lines to read.' },
  },
} as const;

/** Makes the tool that reads a text file as it is. */
export function createReadTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Read',
    description: 'Read a text file of the project folder, whole or some lines of it.',
    inputSchema,
    makeCheck,
    async run(input, { folder }) {
      const read = await folder.read(input.file_path, MAX_FILE_BYTES);
      if (!read.ok) return faultResult(read.error);
      const text = textOf(read.value.bytes);
      if (text === null) return error(`${input.file_path} is not UTF-8 text.`);
      if (input.offset === undefined && input.limit === undefined) return ok(text);
      const lines = text.split(/(?<=\n)/);
      const from = (input.offset ?? 1) - 1;
      if (from > 0 && from >= lines.length) {
        return error(`${input.file_path} has only ${lines.length} lines.`);
      }
      return ok(lines.slice(from, from + (input.limit ?? lines.length)).join(''));
    },
  });
}
