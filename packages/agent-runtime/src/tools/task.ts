import { type Checked, isRecord } from '@svc/core';
import { createValidator, readArguments, type Validator } from '@svc/schema';
import type { ModelTool } from '../model.ts';

/** The input of `Task`. */
interface TaskInput {
  readonly prompt: string;
  readonly description?: string;
}

/** The tool that starts a child turn. The tool loop runs it. */
export interface TaskTool extends ModelTool {
  check(input: unknown): Checked<TaskInput>;
}

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['prompt'],
  properties: {
    prompt: { type: 'string', minLength: 1, description: 'Prompt of the child turn.' },
    description: { type: 'string', maxLength: 200, description: 'Short description of the task.' },
  },
} as const;

/** Creates the description of the tool that starts a child turn. */
export function createTaskTool(): TaskTool {
  const makeCheck = () => createValidator(inputSchema);
  let check: Validator<TaskInput> | null = null;
  return {
    name: 'Task',
    description: 'Start a child turn with its own prompt. It shares the limits of this turn.',
    inputSchema,
    check(input) {
      check ??= makeCheck();
      return check(isRecord(input) ? readArguments(inputSchema, input) : input);
    },
  };
}
