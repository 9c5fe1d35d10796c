import { createTimeSlice } from '@svc/core';
import { createValidator } from '@svc/schema';
import { compileGlob } from '../glob-pattern.ts';
import { cutAfter } from '../output.ts';
import { createResultLines } from '../result-lines.ts';
import { checkedTool, error, faultResult, ok, skippedFolders, type Tool } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['pattern'],
  properties: {
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'Glob pattern such as **/*.md, relative to path.',
    },
    path: {
      type: 'string',
      minLength: 1,
      description: 'Folder to search (default: the project folder).',
    },
  },
} as const;

const MAX_FOUND = 1000;

/** Creates the tool that finds files by name. */
export function createGlobTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Glob',
    description:
      'Find files in the project by glob pattern. Skips .git, and node_modules unless pattern or path names it.',
    inputSchema,
    makeCheck,
    async run(input, { folder, signal, clock }) {
      if (input.pattern.startsWith('/') || input.pattern.split('/').includes('..')) {
        return {
          kind: 'refused',
          reason: 'The pattern must stay below path. Remove the leading slash or the "..".',
        };
      }
      const test = compileGlob(input.pattern);
      if (!test.ok) return error(test.error);
      const found = createResultLines(MAX_FOUND);
      const { yieldToEventLoop } = createTimeSlice(clock);
      const skip = skippedFolders(input.pattern, input.path);
      const visited = await folder.visit(input.path ?? '.', { signal, skip }, async (entry) => {
        await yieldToEventLoop();
        const file = entry.kind === 'file' || entry.kind === 'link';
        if (file && test.value(entry.below)) found.add(entry.place);
        return found.cut ? 'stop' : 'go';
      });
      if (!visited.ok) return faultResult(visited.error);
      return ok(listing(found.lines, found.cut, visited.value.cut));
    },
  });
}

function listing(found: readonly string[], more: boolean, cut: boolean): string {
  const lines = [...found];
  if (more) lines.push(cutAfter(found.length, 'file'));
  else if (cut) lines.push('[Cut: the folder is too large to search completely.]');
  return lines.length === 0 ? 'No files match.' : lines.join('\n');
}
