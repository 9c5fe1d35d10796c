import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = '@anthropic-ai/claude-agent-sdk';

/** Code for the first message of a session. */
export const INIT =
  "yield { type: 'system', subtype: 'init', tools: options.tools, model: 'm', session_id: options.sessionId };";

/** Code for a successful result. `more` adds fields. */
export const resultOf = (more = ''): string =>
  `yield { type: 'result', subtype: 'success', is_error: false, result: '', errors: [], permission_denials: [], session_id: options.sessionId, ${more} };`;

export const textMessage = (text: string): string =>
  `yield { type: 'assistant', parent_tool_use_id: null, message: { content: [{ type: 'text', text: ${JSON.stringify(text)} }] } };`;

/** Code that answers with the prompt. */
export const ECHO =
  "yield { type: 'assistant', parent_tool_use_id: null, message: { content: [{ type: 'text', text: prompt }] } };";

/** Code that calls the model server like the agent program and assigns the response to `answer`. */
export const ASK = `const answer = await fetch(options.env.ANTHROPIC_BASE_URL + '/v1/messages?beta=true', {
  method: 'POST',
  headers: { 'x-api-key': options.env.ANTHROPIC_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', stream: true }),
});`;

/** Installs an SDK into a state folder. `body` is the code of its `query` and may use `prompt` and `options`. */
export async function installFake(
  stateFolder: string,
  body: string,
  { program = true, version = '0.3.329' } = {},
): Promise<void> {
  const modules = join(stateFolder, 'sdk', 'node_modules');
  const folder = join(modules, NAME);
  await mkdir(folder, { recursive: true });
  const manifest = { name: NAME, version, type: 'module', main: 'sdk.mjs' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const source = `export async function* query({ prompt, options }) {\n${body}\n}\n`;
  await writeFile(join(folder, 'sdk.mjs'), source);
  if (!program) return;
  const binary = join(modules, `${NAME}-${process.platform}-${process.arch}`);
  await mkdir(binary, { recursive: true });
  await writeFile(join(binary, 'claude'), '');
}
