import { createValidator } from '@svc/schema';
import { checkedTool, error, ok, type Tool } from './tool.ts';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 4000, description: 'http or https URL.' },
  },
} as const;

/** Creates the tool that fetches a public web page as text. */
export function createWebFetchTool(): Tool {
  const makeCheck = () => createValidator(inputSchema);
  return checkedTool({
    name: 'WebFetch',
    description: 'Fetch a public web page. HTML is converted to plain text.',
    inputSchema,
    makeCheck,
    async run(input, { web, signal }) {
      const got = await web.get(input.url, signal);
      if (!got.ok) {
        return got.error.kind === 'refused'
          ? { kind: 'refused', reason: got.error.reason }
          : error(got.error.reason);
      }
      const { url, status, type, body } = got.value;
      const text = /html/.test(type) ? await textOf(body) : body;
      return status < 400 ? ok(text) : error(`${url} returned status ${status}.\n${text}`);
    },
  });
}

// Imported on first use, because the parser has large character tables.
async function textOf(html: string): Promise<string> {
  const { textOfHtml } = await import('../html-text.ts');
  return textOfHtml(html);
}
