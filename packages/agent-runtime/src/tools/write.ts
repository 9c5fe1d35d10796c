import { counted } from '@svc/core';
import { createValidator } from '@svc/schema';
import { checkedTool, faultResult, ok, type Tool } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['file_path', 'content'],
  properties: {
    file_path: {
      type: 'string',
      minLength: 1,
      description: 'Path relative to the project folder, or absolute inside it.',
    },
    content: { type: 'string', description: 'Complete new content of the file.' },
  },
} as const;

/** Creates the tool that creates or replaces a file. */
export function createWriteTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'Write',
    description: 'Create a file in the project, or replace its whole content.',
    inputSchema,
    makeCheck,
    async run(input, { folder, rights, signal }) {
      const content = Buffer.from(input.content);
      const written = await folder.write(input.file_path, content, { rights, signal });
      if (!written.ok) return faultResult(written.error);
      const { created, place } = written.value;
      return ok(
        `${created ? 'Created' : 'Replaced'} ${place} (${counted(content.length, 'byte')}).`,
      );
    },
  });
}
