// @ts-check
// Measures the management endpoint: server CPU per request and requests per second at 1, 10 and 50 connections, for tools/list,
// tools/call list_triggers and a 401; compared with raw node:http and Express sending the same bytes, the SDK's stock stateless
// server (McpServer with zod) and FastMCP. Peers alternate with it, so that other load affects all of them alike.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, manyTriggers, print, quantile, removeHome, startServer } from './support.mjs';

const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const MS = Number(process.env['MS'] ?? 1000);
const CONNECTIONS = [1, 10, 50];
const TOKEN = 'tok_bench_0123456789abcdef0123456789abcdef';
const PEERS = {
  '@modelcontextprotocol/sdk': '1.32.2',
  express: '5.3.0',
  fastmcp: '4.20.16',
  zod: '4.6.7',
};
const CONFIG = `managementApi:
  publicUrl: http://127.0.0.1:7420
  instanceId: bench
  clients:
    bench: { auth: { ref: env:BENCH_TOKEN }, scope: { allow: ["*"], projects: [demo] } }
`;

// Peers are no dependencies of the service; the benchmark downloads them.
function installPeers() {
  const folder = join(
    new URL('../../../node_modules/.cache/svc-bench', import.meta.url).pathname,
    Object.entries(PEERS)
      .map(([name, version]) => `${name.split('/').at(-1)}-${version}`)
      .join('_'),
  );
  if (existsSync(join(folder, 'ready'))) return folder;
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, type: 'module', dependencies: PEERS };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const installed = spawnSync('npm', flags, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (installed.status !== 0) throw new Error('The peers could not be installed.');
  writeFileSync(join(folder, 'ready'), '');
  return folder;
}

/** @param {object | null} message @param {boolean} authorised */
function requestText(message, authorised) {
  const body = JSON.stringify(message);
  return [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    ...(authorised ? [`Authorization: Bearer ${TOKEN}`] : []),
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2025-11-25',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_triggers', arguments: { project: 'demo' } },
};
const CASES = [
  { name: 'tools/list', request: requestText(LIST, true), status: 200 },
  { name: 'tools/call list_triggers', request: requestText(CALL, true), status: 200 },
  { name: '401', request: requestText(LIST, false), status: 401 },
];

/** @param {string} url @param {object} message @param {boolean} authorised */
async function sample(url, message, authorised) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(authorised ? { authorization: `Bearer ${TOKEN}` } : {}),
  };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** @param {number} pid CPU time of a process in microseconds */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** @param {string} kind @param {string} modules @param {object} samples */
async function startPeer(kind, modules, samples) {
  const script = new URL('mcp-peers.mjs', import.meta.url).pathname;
  const child = fork(script, [kind, modules], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(samples);
  const [port] = await once(child, 'message');
  return { kind, port, pid: child.pid ?? 0, stop: () => child.disconnect() };
}

const modules = installPeers();
process.env['BENCH_TOKEN'] = TOKEN;
const home = makeHome({ 'svc.config.yaml': CONFIG, 'projects/demo/project.yaml': manyTriggers(1) });
const server = await startServer(home);
// The cache ignores files that changed a moment ago; the benchmark measures cached reads.
await new Promise((resolve) => setTimeout(resolve, 4000));
const list = await sample(server.url, LIST, true);
const call = await sample(server.url, CALL, true);
const refused = await sample(server.url, LIST, false);
const parsed = (/** @type {string} */ text) => JSON.parse(text.split('data: ')[1] ?? '').result;
const samples = {
  list: list.body,
  call: call.body,
  refusal: {
    status: 401,
    headers: {
      'content-type': 'application/json',
      'www-authenticate': refused.headers.get('www-authenticate') ?? '',
    },
    body: refused.body,
  },
  tools: parsed(list.body).tools,
  result: { content: parsed(call.body).content },
};
const peers = [];
for (const kind of ['raw', 'express', 'stock', 'fastmcp']) {
  peers.push(await startPeer(kind, modules, samples));
}
const own = { kind: 'svc', port: Number(new URL(server.url).port), pid: server.pid, stop() {} };
const servers = [...peers, own];
const loader = fork(new URL('mcp-load.mjs', import.meta.url).pathname);

/** @param {object} order */
async function loadOnce(order) {
  loader.send(order);
  const [result] = await once(loader, 'message');
  return /** @type {{ count: number, ms: number }} */ (result);
}

print(
  `tools/list answers ${list.body.length} bytes, list_triggers ${call.body.length}; ${ROUNDS} rounds of ${MS} ms each`,
);
for (const { name, request, status } of CASES) {
  print(`\n${name}`);
  print('  server    conn   requests/s   CPU us/request   CPU / raw   throughput / stock');
  for (const connections of CONNECTIONS) {
    /** @type {Map<string, { rate: number[], cpu: number[] }>} */
    const results = new Map(servers.map(({ kind }) => [kind, { rate: [], cpu: [] }]));
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const { kind, port, pid } of servers) {
        const before = cpuOf(pid);
        // The first round only warms up.
        const ms = round === -1 ? 400 : MS;
        const { count, ms: took } = await loadOnce({ port, request, connections, ms, status });
        if (round === -1) continue;
        results.get(kind)?.rate.push((count / took) * 1000);
        results.get(kind)?.cpu.push((cpuOf(pid) - before) / count);
      }
    }
    const of = (/** @type {string} */ kind) => ({
      rate: quantile(results.get(kind)?.rate ?? [], 0.5),
      cpu: Math.min(...(results.get(kind)?.cpu ?? [])),
    });
    for (const { kind } of servers) {
      const { rate, cpu } = of(kind);
      const columns = [
        kind.padEnd(9),
        String(connections).padStart(4),
        rate.toFixed(0).padStart(12),
        cpu.toFixed(0).padStart(16),
        `${(cpu / of('raw').cpu).toFixed(1)}x`.padStart(11),
        `${(rate / of('stock').rate).toFixed(1)}x`.padStart(20),
      ];
      print(`  ${columns.join(' ')}`);
    }
  }
}
print(`\nMemory of the service afterwards: ${server.rssMb().toFixed(0)} MB`);
loader.disconnect();
for (const { stop } of peers) stop();
await server.stop();
removeHome(home);
