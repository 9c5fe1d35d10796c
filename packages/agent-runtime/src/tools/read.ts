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
    file_path: {
      type: 'string',
      minLength: 1,
      description: 'Path relative to the project folder, or absolute inside it.',
    },
    offset: { type: 'integer', minimum: 1, description: 'First line to read, starting at 1.' },
    limit: { type: 'integer', minimum: 1, description: 'Maximum number of lines to read.' },
  },
} as const;

const NEW_LINE = 0x0a;

/** Creates the tool that reads a text file. */
export function createReadTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Read',
    description: 'Read a text file in the project, completely or a range of lines.',
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
      // Reads slightly more than is shown, so that the last character is complete.
      const shown = bytes.subarray(start.at, Math.min(end, start.at + MAX_RESULT_BYTES + 4));
      return ok(shown.toString(), end - start.at);
    },
  });
}

// The index after that many lines, or the end, and the number of lines before it.
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
