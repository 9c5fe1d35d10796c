// Prints the CPU time of the server per request, compared with a bare node:http server that sends the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('cpu-server.mjs', import.meta.url));
const TOKEN = 'tok_home_0123456789abcdef';
const CONNECTIONS = 10;
const REQUESTS = Number(process.env.REQUESTS ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'tool_1', arguments: { text: 'hello' } },
};
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_LIST = { ...LIST, params: { _meta: META } };
const CASES = [
  ['raw list', 'raw-list', LIST, ''],
  ['tools/list', 'surface', LIST, ''],
  ['raw call', 'raw-call', CALL, ''],
  ['tools/call', 'surface', CALL, ''],
  [
    'tools/list 2026-07-28',
    'surface',
    MODERN_LIST,
    'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n',
  ],
];

async function measure(mode, message, extra, count) {
  const child = fork(SERVER, [mode], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ port }] = await once(child, 'message');
  const body = JSON.stringify(message);
  const request =
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
    `Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n${extra}` +
    `User-Agent: bench\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const run = (total) =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, () => client(port, request, total / CONNECTIONS)),
    );
  await run(count / 4);
  child.send('mark');
  await once(child, 'message');
  await run(count);
  child.send('report');
  const [{ micros }] = await once(child, 'message');
  child.kill();
  return micros / count;
}

function client(port, request, count) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let left = Math.ceil(count);
    let missing = -1;
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (missing < 0) {
        const head = chunk.indexOf('\r\n\r\n');
        const text = chunk.latin1Slice(0, head);
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(chunk.toString()));
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
        missing = head + 4 + length;
      }
      missing -= chunk.length;
      if (missing > 0) return;
      missing = -1;
      left -= 1;
      if (left > 0) socket.write(request);
      else socket.end(resolve);
    });
  });
}

const best = new Map();
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, mode, message, extra] of CASES) {
    const micros = await measure(mode, message, extra, REQUESTS);
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, micros));
  }
}
const base = { list: best.get('raw list'), call: best.get('raw call') };
for (const [name, micros] of best) {
  const ratio = micros / (name.includes('call') ? base.call : base.list);
  process.stdout.write(
    `${name.padEnd(24)} ${micros.toFixed(1)} us CPU, ${ratio.toFixed(2)} x bare\n`,
  );
}
