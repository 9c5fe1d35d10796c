import { counted } from '@svc/core';
import { createValidator } from '@svc/schema';
import { MAX_FILE_BYTES } from '../limited-folder.ts';
import { MAX_RESULT_BYTES } from '../output.ts';
import { isText } from '../text-file.ts';
import { checkedTool, error, faultResult, ok, type Tool } from './tool.ts';

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

const NEW_LINE = 0x0a;

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
      const { bytes } = read.value;
      if (!isText(bytes)) return error(`${input.file_path} is not UTF-8 text.`);
      const skipped = (input.offset ?? 1) - 1;
      const start = afterLines(bytes, 0, skipped);
      if (skipped > 0 && start.at === bytes.length) {
        return error(`${input.file_path} has only ${counted(Math.max(start.lines, 1), 'line')}.`);
      }
      const end =
        input.limit === undefined ? bytes.length : afterLines(bytes, start.at, input.limit).at;
      // A little more than is shown, so that the last character that is shown is whole.
      const shown = bytes.subarray(start.at, Math.min(end, start.at + MAX_RESULT_BYTES + 4));
      return ok(shown.toString(), end - start.at);
    },
  });
}

// The place after so many lines, or the end; and how many lines there were up to it.
function afterLines(
  bytes: Uint8Array,
  from: number,
  count: number,
): { readonly at: number; readonly lines: number } {
  let at = from;
  let lines = 0;
  for (; at < bytes.length && lines < count; at += 1) if (bytes[at] === NEW_LINE) lines += 1;
  const open = at === bytes.length && at > from && bytes[at - 1] !== NEW_LINE;
  return { at, lines: open ? lines + 1 : lines };
}
