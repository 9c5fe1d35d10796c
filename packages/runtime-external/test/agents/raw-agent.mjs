// @ts-check
// An agent that does what the JSON list in its prompt says, with bare lines: also what no library would let it do.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** @type {any} */
const how = JSON.parse(process.argv[2] ?? '{}');
const waiting = new Map();
let last = 1000;
let cancelled = () => {};
let servers = [];

const raw = (/** @type {string} */ text) => new Promise((done) => process.stdout.write(text, done));
const send = (/** @type {object} */ message) =>
  raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (/** @type {object} */ one) =>
  send({ method: 'session/update', params: { sessionId: 's-1', update: one } });
const chunk = (/** @type {string} */ text, more = {}) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more });
const request = (/** @type {string} */ method, /** @type {object} */ params) => {
  last += 1;
  const id = last;
  return new Promise((done) => {
    waiting.set(id, done);
    void send({ id, method, params });
  });
};

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

async function ask({ options = OPTIONS, effect, ...call }) {
  const answer = await request('session/request_permission', {
    sessionId: 's-1',
    toolCall: call,
    options,
  });
  const outcome = answer.result?.outcome ?? answer.error;
  if (how.answers) appendFileSync(how.answers, `${JSON.stringify(outcome)}\n`);
  const runs = outcome.optionId === 'once' || outcome.optionId === 'always';
  if (runs && effect) writeFileSync(effect, 'done\n');
  const status = runs ? 'completed' : 'failed';
  await update({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status });
}

async function operation({ name, args = {}, headers = {} }) {
  const [server] = servers;
  const own = Object.fromEntries(server.headers.map((one) => [one.name, one.value]));
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...own, ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: name === undefined ? 'tools/list' : 'tools/call',
      params: { name, arguments: args },
    }),
  });
  await chunk(`${response.status} ${await response.text()}`);
}

/** @type {Record<string, (value: any) => unknown>} */
const STEPS = {
  say: (text) => chunk(text),
  update,
  raw,
  ask,
  operation,
  request: async ({ method, params }) => chunk(JSON.stringify(await request(method, params))),
  start: (command) =>
    void spawn('/bin/sh', ['-c', command], { stdio: 'ignore', detached: true }).unref(),
  complain: (text) => process.stderr.write(text),
  note: ({ file, text }) => writeFileSync(file, text),
  env: () => chunk(JSON.stringify(process.env)),
  servers: () => chunk(JSON.stringify(servers)),
  flood: async ({ text, times }) => {
    for (let i = 0; i < times; i += 1) await raw(text);
  },
  kill: (signal) => process.kill(process.pid, signal),
  exit: (code) => process.exit(code),
  pause: (ms) => new Promise((done) => setTimeout(done, ms)),
  hang: () => new Promise(() => {}),
  cancelled: () =>
    new Promise((done) => {
      cancelled = () => done(undefined);
    }),
};

async function prompt(id, { prompt: blocks }) {
  const text = blocks.map((block) => block.text).join('');
  const steps = JSON.parse(
    text
      .slice(text.indexOf('[['))
      .slice(1)
      .replace(/\]\]\s*$/, ']'),
  );
  let result = { stopReason: 'end_turn' };
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    if (name === 'end') result = value;
    else if (name === 'prompt') await chunk(JSON.stringify(text));
    else await STEPS[name](value);
  }
  if (result.error) await send({ id, error: result.error });
  else await send({ id, result });
}

function answer({ id, method, params }) {
  if (how.seen) appendFileSync(how.seen, `${JSON.stringify({ method, params })}\n`);
  if (how.silent === method) return;
  const faults = how.faults ?? {};
  if (faults[method]) return send({ id, error: faults[method] });
  if (method === 'initialize') {
    const agentCapabilities = { mcpCapabilities: { http: true }, ...how.capabilities };
    return send({ id, result: { protocolVersion: how.version ?? 1, agentCapabilities } });
  }
  if (method === 'session/prompt') return prompt(id, params);
  if (!method.startsWith('session/')) return undefined;
  servers = params.mcpServers ?? [];
  if (method === 'session/load') void chunk('said long ago');
  const result = method === 'session/new' ? { sessionId: 's-1', ...how.session } : how.session;
  return send({ id, result: result ?? {} });
}

if (how.deaf) process.on('SIGTERM', () => {});
if (how.banner) await raw(how.banner);
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  } else if (message.method === 'session/cancel') {
    if (how.seen) appendFileSync(how.seen, `${JSON.stringify({ method: message.method })}\n`);
    cancelled();
  } else void answer(message);
});
if (how.stays) setInterval(() => {}, 1000);
