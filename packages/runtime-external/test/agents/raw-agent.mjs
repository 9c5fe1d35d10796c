// @ts-check
// An agent that performs the steps in the JSON list of its prompt. It writes raw lines, so that it can also violate the
// protocol.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** @type {any} */
const behavior = JSON.parse(process.argv[2] ?? '{}');
const pending = new Map();
let lastId = 1000;
let cancelled = () => {};
let servers = [];

const raw = (/** @type {string} */ text) => new Promise((done) => process.stdout.write(text, done));
const send = (/** @type {object} */ message) =>
  raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (/** @type {object} */ fields) =>
  send({ method: 'session/update', params: { sessionId: 's-1', update: fields } });
const chunk = (/** @type {string} */ text, more = {}) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more });
const request = (/** @type {string} */ method, /** @type {object} */ params) => {
  lastId += 1;
  const id = lastId;
  return new Promise((done) => {
    pending.set(id, done);
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
  if (behavior.answers) appendFileSync(behavior.answers, `${JSON.stringify(outcome)}\n`);
  const runs = outcome.optionId === 'once' || outcome.optionId === 'always';
  if (runs && effect) writeFileSync(effect, 'done\n');
  const status = runs ? 'completed' : 'failed';
  await update({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status });
}

async function operation({ name, args = {}, headers = {} }) {
  const [server] = servers;
  const auth = Object.fromEntries(server.headers.map(({ name: key, value }) => [key, value]));
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...auth, ...headers },
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
  run: (command) =>
    new Promise((done) =>
      spawn('/bin/sh', ['-c', command], { stdio: 'ignore' }).once('close', done),
    ),
  stderr: (text) => process.stderr.write(text),
  write: ({ file, text }) => writeFileSync(file, text),
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
  if (behavior.seen) appendFileSync(behavior.seen, `${JSON.stringify({ method, params })}\n`);
  if (behavior.silent === method) return;
  const faults = behavior.faults ?? {};
  if (faults[method]) return send({ id, error: faults[method] });
  if (method === 'initialize') {
    const agentCapabilities = { mcpCapabilities: { http: true }, ...behavior.capabilities };
    return send({ id, result: { protocolVersion: behavior.version ?? 1, agentCapabilities } });
  }
  if (method === 'session/prompt') return prompt(id, params);
  if (!method.startsWith('session/')) return undefined;
  servers = params.mcpServers ?? [];
  if (method === 'session/load') void chunk('an earlier message');
  const result =
    method === 'session/new' ? { sessionId: 's-1', ...behavior.session } : behavior.session;
  return send({ id, result: result ?? {} });
}

if (behavior.ignoresSigterm) process.on('SIGTERM', () => {});
if (behavior.banner) await raw(behavior.banner);
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  } else if (message.method === 'session/cancel') {
    if (behavior.seen)
      appendFileSync(behavior.seen, `${JSON.stringify({ method: message.method })}\n`);
    cancelled();
  } else void answer(message);
});
if (behavior.keepsRunning) setInterval(() => {}, 1000);
