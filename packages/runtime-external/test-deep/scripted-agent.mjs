// @ts-check
// An agent that uses the official libraries of both protocols. It performs the steps in the first line of its prompt that
// starts like a JSON list of lists. It stores the prompts of each session in the folder given as its first argument.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [store = '.'] = process.argv.slice(2);
const run = promisify(execFile);
/** @typedef {{ cwd: string, operations: Client | null, cancel: AbortController }} Session */
/** @type {Map<string, Session>} */
const sessions = new Map();

/** @param {readonly any[]} servers */
async function connect([server]) {
  if (server === undefined) return null;
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  const client = new Client({ name: 'scripted', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

/** @param {string} id @param {{ cwd: string, mcpServers?: readonly any[] }} params */
async function open(id, { cwd, mcpServers = [] }) {
  sessions.set(id, { cwd, operations: await connect(mcpServers), cancel: new AbortController() });
}

const sessionFile = (/** @type {string} */ id) => join(store, `${id}.jsonl`);

const OPTIONS = [
  { optionId: 'allow', name: 'Allow', kind: /** @type {const} */ ('allow_once') },
  { optionId: 'reject', name: 'Reject', kind: /** @type {const} */ ('reject_once') },
];

const KINDS = { Bash: 'execute', Write: 'edit', Read: 'read', WebFetch: 'fetch', Odd: 'other' };

/** @type {Record<string, (session: Session, input: any) => Promise<string>>} */
const TOOLS = {
  Bash: async ({ cwd, cancel }, { command }) =>
    (await run('/bin/sh', ['-c', command], { cwd, signal: cancel.signal })).stdout,
  Write: async ({ cwd }, { path, content }) => {
    await writeFile(join(cwd, path), content);
    return `Wrote ${path}.`;
  },
  Read: ({ cwd }, { path }) => readFile(join(cwd, path), 'utf8'),
  WebFetch: async () => 'A page.',
  Odd: async () => 'Odd.',
};

/** Makes one tool call: reports it, asks for permission, runs it and reports the result. */
async function callTool(client, sessionId, session, tool, input) {
  const toolCallId = randomUUID();
  const report = (update) =>
    client.notify(methods.client.session.update, { sessionId, update: { toolCallId, ...update } });
  const facts = {
    title: `${tool} ${JSON.stringify(input)}`,
    kind: KINDS[tool],
    rawInput: input,
    locations: input.path ? [{ path: join(session.cwd, input.path) }] : [],
    content:
      tool === 'Write'
        ? [{ type: 'diff', path: join(session.cwd, input.path), newText: input.content }]
        : [],
  };
  await report({ sessionUpdate: 'tool_call', status: 'pending', ...facts });
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId, ...facts },
    options: OPTIONS,
  });
  if (outcome.optionId !== 'allow') {
    await report({ sessionUpdate: 'tool_call_update', status: 'failed' });
    return 'refused';
  }
  await report({ sessionUpdate: 'tool_call_update', status: 'in_progress' });
  const text = await TOOLS[tool](session, input);
  const content = [{ type: 'content', content: { type: 'text', text } }];
  await report({ sessionUpdate: 'tool_call_update', status: 'completed', content });
  return text;
}

/** @type {Record<string, (session: Session, value: any, sessionId: string) => Promise<string>>} */
const COMMANDS = {
  say: async (_, text) => text,
  remember: (_, __, sessionId) => readFile(sessionFile(sessionId), 'utf8'),
  async operations({ operations }) {
    const { tools = [] } = (await operations?.listTools()) ?? {};
    return tools.map(({ name }) => name).join(' ') || 'none';
  },
  operation: async ({ operations }, call) => JSON.stringify(await operations?.callTool(call)),
};

async function prompt({ params: { sessionId, prompt: blocks }, client }) {
  const session = sessions.get(sessionId);
  if (session === undefined) throw RequestError.invalidParams();
  const text = blocks.map((block) => block.text).join('');
  const say = (answer) => {
    const content = { type: 'text', text: `${answer}\n` };
    const update = { sessionUpdate: 'agent_message_chunk', content };
    return client.notify(methods.client.session.update, { sessionId, update });
  };
  const steps = text.split('\n').find((line) => line.startsWith('[[')) ?? '[]';
  try {
    for (const [what, value] of JSON.parse(steps)) {
      const answer = COMMANDS[what]?.(session, value, sessionId);
      await say(await (answer ?? callTool(client, sessionId, session, what, value)));
    }
  } catch (error) {
    if (session.cancel.signal.aborted) return { stopReason: /** @type {const} */ ('cancelled') };
    throw error;
  }
  await appendFile(sessionFile(sessionId), `${JSON.stringify(text)}\n`);
  return { stopReason: /** @type {const} */ ('end_turn') };
}

agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: true },
      sessionCapabilities: { resume: {} },
    },
  }))
  .onRequest(methods.agent.session.new, async ({ params }) => {
    const sessionId = randomUUID();
    await open(sessionId, params);
    return { sessionId };
  })
  .onRequest(methods.agent.session.resume, async ({ params }) => {
    await readFile(sessionFile(params.sessionId));
    await open(params.sessionId, params);
    return {};
  })
  .onRequest(methods.agent.session.prompt, prompt)
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    sessions.get(params.sessionId)?.cancel.abort();
  })
  .connect(
    ndJsonStream(
      /** @type {any} */ (Writable.toWeb(process.stdout)),
      /** @type {any} */ (Readable.toWeb(process.stdin)),
    ),
  );
