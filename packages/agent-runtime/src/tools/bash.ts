import { createValidator } from '@svc/schema';
import { lastLine, plainText } from '../plain-text.ts';
import type { ShellEnd } from '../shell.ts';
import { checkedTool, error, ok, type Tool, type ToolResult } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  properties: {
    command: { type: 'string', description: 'Command for bash, run in the project folder.' },
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400_000,
      description: 'Milliseconds until it is ended; default 600000.',
    },
    description: { type: 'string', description: 'What it is for.' },
  },
} as const;

const DEFAULT_TIMEOUT_MS = 600_000;

/** Makes the tool that runs shell commands. It is not confined to the project folder. */
export function createBashTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Bash',
    description: 'Run a shell command in the project folder. It is not confined to that folder.',
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
      return failed(`ended by ${end.signal}`, end.output);
    case 'timed_out':
      return failed(`ended after its timeout of ${timeoutMs} ms`, end.output);
    case 'stopped':
      return failed('stopped with its turn', end.output);
    case 'not_started':
      return error(end.reason);
  }
}

function failed(what: string, output: string): ToolResult {
  // What a command says last is most often why.
  const last = lastLine(output);
  return {
    kind: 'error',
    text: output === '' ? what : `${what}\n${output}`,
    summary: last === '' ? what : `${what}: ${last}`,
  };
}
