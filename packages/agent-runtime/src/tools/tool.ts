import { type Clock, isRecord, sentencesOf } from '@svc/core';
import {
  type ArgumentOptions,
  type ArgumentSchema,
  readArguments,
  type Validator,
} from '@svc/schema';
import type { FileRights } from '../file-rights.ts';
import type { Folder, FolderFault } from '../folder.ts';
import type { Shell } from '../shell.ts';
import type { Web } from '../web.ts';

/** The result of a tool call. `refused`: the call is not allowed. */
export type ToolResult =
  | {
      readonly kind: 'ok';
      readonly text: string;
      /** Length of the whole text in bytes, if `text` is only its beginning. */
      readonly whole?: number;
    }
  | {
      readonly kind: 'error';
      readonly text: string;
      /** A summary on one line. Default: the first line of `text`. */
      readonly summary?: string;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** The context of a tool call. */
export interface ToolContext {
  readonly clock: Clock;
  readonly folder: Folder;
  readonly rights: FileRights;
  readonly shell: Shell;
  readonly web: Web;
  readonly signal: AbortSignal;
}

/** A built-in tool. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: object;
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** A tool whose input is validated before it runs. See `readArguments` for tolerated deviations. */
export function checkedTool<T>(definition: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ArgumentSchema;
  readonly reading?: ArgumentOptions;
  /** Creates the input validator. Called once, on first use. */
  readonly makeCheck: () => Validator<T>;
  run(input: T, context: ToolContext): Promise<ToolResult>;
}): Tool {
  const { name, description, inputSchema, reading, makeCheck } = definition;
  let check: Validator<T> | null = null;
  return {
    name,
    description,
    inputSchema,
    async run(input, context) {
      check ??= makeCheck();
      const checked = check(isRecord(input) ? readArguments(inputSchema, input, reading) : input);
      if (checked.ok) return definition.run(checked.value, context);
      return error(
        `The input of ${name} is not valid: ${sentencesOf(checked.issues, 'The input')}`,
      );
    },
  };
}

/** A success. `whole`: length of the whole text in bytes, if `text` is only its beginning. */
export function ok(text: string, whole?: number): ToolResult {
  return whole === undefined ? { kind: 'ok', text } : { kind: 'ok', text, whole };
}

/** A failure with a message. */
export function error(text: string): ToolResult {
  return { kind: 'error', text };
}

/** The tool result for a fault of the project folder. */
export function faultResult(fault: FolderFault): ToolResult {
  return fault.kind === 'refused' ? { kind: 'refused', reason: fault.reason } : error(fault.reason);
}

/** Folders that searches skip: `.git` always, `node_modules` unless it is named. */
export function skippedFolders(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  const named = texts.some((text) => text?.includes('node_modules'));
  return new Set(named ? ['.git'] : ['.git', 'node_modules']);
}
