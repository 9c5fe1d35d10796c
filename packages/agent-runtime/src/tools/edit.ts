import { counted, createTimeSlice } from '@svc/core';
import { createValidator } from '@svc/schema';
import { MAX_FILE_BYTES, tooLarge } from '../limited-folder.ts';
import { countBytes, replaceBytes } from '../replace-bytes.ts';
import { isText } from '../text-file.ts';
import { checkedTool, error, faultResult, ok, type Tool } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['file_path', 'old_string', 'new_string'],
  properties: {
    file_path: {
      type: 'string',
      minLength: 1,
      description: 'Path relative to the project folder, or absolute inside it.',
    },
    old_string: {
      type: 'string',
      minLength: 1,
      description: 'Exact text to replace.',
    },
    new_string: { type: 'string', description: 'Replacement text.' },
    replace_all: {
      type: 'boolean',
      description: 'Replace all occurrences. By default old_string must occur exactly once.',
    },
  },
} as const;

/** Creates the tool that replaces text in a file. */
export function createEditTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Edit',
    description: 'Replace exact text in a file in the project folder.',
    inputSchema,
    makeCheck,
    async run(input, { folder, rights, signal, clock }) {
      const path = input.file_path;
      const read = await folder.read(path, MAX_FILE_BYTES);
      if (!read.ok) return faultResult(read.error);
      const instead = read.value.bytes;
      if (!isText(instead)) return error(`${path} is not UTF-8 text.`);
      const [before, after] = [Buffer.from(input.old_string), Buffer.from(input.new_string)];
      const { yieldToEventLoop: pause } = createTimeSlice(clock);
      const places = await countBytes(instead, before, pause);
      const fault = faultOf(path, places, input);
      if (fault !== null) return error(fault);
      const size = instead.length + places * (after.length - before.length);
      if (size > MAX_FILE_BYTES) return error(tooLarge(path));
      const content = await replaceBytes(instead, { before, after, places }, pause);
      const written = await folder.write(path, content, { rights, signal, instead });
      if (!written.ok) return faultResult(written.error);
      return ok(`Replaced ${counted(places, 'occurrence')} in ${written.value.place}.`);
    },
  });
}

function faultOf(
  path: string,
  found: number,
  input: { old_string: string; new_string: string; replace_all?: boolean },
): string | null {
  if (input.old_string === input.new_string) return 'old_string and new_string are the same.';
  if (found === 0) return `old_string was not found in ${path}.`;
  if (found === 1 || input.replace_all === true) return null;
  return `old_string occurs ${found} times in ${path}: add surrounding text to make it unique, or set replace_all.`;
}
