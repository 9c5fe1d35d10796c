import { createValidator } from '@svc/schema';
import { lastLine, plainText } from '../plain-text.ts';
import type { ShellEnd } from '../shell.ts';
import { checkedTool, error, ok, type Tool, type ToolResult } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  properties: {
    command: { type: 'string', description: 'Shell command to run in the project folder.' },
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400_000,
      description: 'Timeout in milliseconds (default 600000).',
    },
    description: { type: 'string', description: 'Short description of the command.' },
  },
} as const;

const DEFAULT_TIMEOUT_MS = 600_000;

/** Creates the tool that runs shell commands. */
export function createBashTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Bash',
    description: 'Run a shell command in the project folder.',
    inputSchema,
    makeCheck,
    async run(input, { shell, signal }) {
      const timeoutMs = input.timeout ?? DEFAULT_TIMEOUT_MS;
      const end = await shell.run({ command: input.command, timeoutMs }, signal);
      return resultOf('output' in end ? { ...end, output: plainText(end.output) } : end, timeoutMs);
    },
  });
}

function resultOf(end: ShellEnd, timeoutMs: number): ToolResult {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? ok(end.output) : failed(`exit code ${end.code}`, end.output);
    case 'signalled':
      return failed(`terminated by ${end.signal}`, end.output);
    case 'timed_out':
      return failed(`timed out after ${timeoutMs} ms`, end.output);
    case 'stopped':
      return failed('stopped because the turn ended', end.output);
    case 'not_started':
      return error(end.reason);
  }
}

function failed(what: string, output: string): ToolResult {
  // The last line of output usually names the cause.
  const last = lastLine(output);
  return {
    kind: 'error',
    text: output === '' ? what : `${what}\n${output}`,
    summary: last === '' ? what : `${what}: ${last}`,
  };
}
