import {
  abridged,
  counted,
  createTimeSlice,
  failure,
  messageOf,
  type Result,
  success,
} from '@svc/core';
import { createValidator } from '@svc/schema';
import { RE2JS } from 're2js';
import type { FolderEntry } from '../folder.ts';
import { compileGlob } from '../glob-pattern.ts';
import { cutAfter } from '../output.ts';
import { createResultLines, type ResultLines } from '../result-lines.ts';
import { textOf } from '../text-file.ts';
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
      description: 'Regular expression (RE2 syntax), matched line by line.',
    },
    path: {
      type: 'string',
      minLength: 1,
      description: 'File or folder to search (default: the project folder).',
    },
    glob: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description:
        'Glob pattern for files to search. Without a slash it matches file names in every folder.',
    },
    '-i': { type: 'boolean', description: 'Ignore case.' },
    output_mode: {
      type: 'string',
      enum: ['files_with_matches', 'content', 'count'],
      description:
        'files_with_matches: paths (default). content: path:line:text. count: path:count.',
    },
    head_limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of result lines (default 1000).',
    },
  },
} as const;

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN = 1000;
// Matching takes at most (size of the expression) x (length of the line) steps. This limit takes about 50 ms.
const MAX_STEPS = 200_000;
const MAX_LINE = 16_384;
const MAX_LINE_SHOWN = 500;

interface Search {
  readonly expression: RE2JS;
  /** Number of characters of a line that are searched. */
  readonly width: number;
  readonly mode: 'files_with_matches' | 'content' | 'count';
  readonly found: ResultLines;
  readonly yieldToEventLoop: () => Promise<void>;
  /** Files that are too large. */
  skipped: number;
}

/** Creates the tool that searches file contents. */
export function createGrepTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Grep',
    description:
      'Search text files in the project with a regular expression. Skips .git, and node_modules unless glob or path names it.',
    inputSchema,
    makeCheck,
    async run(input, { folder, signal, clock }) {
      const expression = compile(input.pattern, input['-i'] === true);
      if (!expression.ok) return error(expression.error);
      const named =
        input.glob === undefined ? success(() => true) : compileGlob(anywhere(input.glob));
      if (!named.ok) return error(named.error);
      const search: Search = {
        expression: expression.value,
        width: Math.min(MAX_LINE, Math.ceil(MAX_STEPS / expression.value.programSize())),
        mode: input.output_mode ?? 'files_with_matches',
        found: createResultLines(input.head_limit ?? MAX_SHOWN),
        yieldToEventLoop: createTimeSlice(clock).yieldToEventLoop,
        skipped: 0,
      };
      const skip = skippedFolders(input.glob, input.path);
      const visited = await folder.visit(input.path ?? '.', { signal, skip }, async (entry) => {
        await search.yieldToEventLoop();
        if (entry.kind === 'file' && named.value(entry.below))
          await searchFile(search, entry, signal);
        return search.found.cut ? 'stop' : 'go';
      });
      if (!visited.ok) return faultResult(visited.error);
      return ok(report(search, visited.value.cut));
    },
  });
}

function compile(pattern: string, ignoreCase: boolean): Result<RE2JS, string> {
  try {
    return success(RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (thrown) {
    return failure(`pattern is not a regular expression in RE2 syntax: ${messageOf(thrown)}.`);
  }
}

function anywhere(glob: string): string {
  return glob.includes('/') ? glob : `**/${glob}`;
}

async function searchFile(search: Search, entry: FolderEntry, signal: AbortSignal): Promise<void> {
  const bytes = await entry.read(MAX_BYTES);
  if (bytes === null) search.skipped += 1;
  const text = bytes === null ? null : textOf(bytes);
  if (text === null) return;
  let count = 0;
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    await search.yieldToEventLoop();
    if (signal.aborted || search.found.cut) return;
    if (!search.expression.test(line.slice(0, search.width))) continue;
    count += 1;
    if (search.mode === 'content') search.found.add(`${entry.place}:${number}:${shown(line)}`);
    if (search.mode === 'files_with_matches') break;
  }
  if (count > 0) addTotal(search, entry.place, count);
}

function addTotal(search: Search, place: string, count: number): void {
  if (search.mode !== 'content')
    search.found.add(search.mode === 'count' ? `${place}:${count}` : place);
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    at = end === -1 ? text.length : end + 1;
  }
}

function shown(line: string): string {
  return abridged(line, MAX_LINE_SHOWN + 1);
}

function report(search: Search, cut: boolean): string {
  const lines = [...search.found.lines];
  if (search.found.cut) {
    lines.push(cutAfter(lines.length, 'line'));
  } else if (cut) {
    lines.push('[Cut: the folder is too large to search completely.]');
  }
  if (lines.length === 0) lines.push('No matches.');
  if (search.skipped > 0) {
    const files = counted(search.skipped, 'file was', 'files were');
    lines.push(`[${files} not searched: larger than 4 MiB or unreadable.]`);
  }
  return lines.join('\n');
}
