import { createServer } from 'node:http';
import { createSystemClock, silentLogger } from '@svc/core';
import { createMcpSurface } from '@svc/mcp-surface';
import { parseManagementConfig } from '@svc/mgmt-auth';

const TOKEN = 'tok_home_0123456789abcdef';
const tools = Array.from({ length: 14 }, (_, index) => ({
  name: `tool_${index}`,
  title: `Tool ${index}`,
  description: 'x'.repeat(150),
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'y'.repeat(60) } },
  },
  annotations: { readOnlyHint: true, destructiveHint: false },
}));
const answer = {
  content: [{ type: 'text', text: '{"said":"hello"}' }],
  structuredContent: { said: 'hello' },
};
const toolset = {
  list: () => tools,
  call: async (_principal, name) => (name === 'tool_1' ? answer : null),
};
const block = {
  instanceId: 'home',
  publicUrl: 'http://localhost:8080',
  clients: { bench: { auth: { ref: 'env:TOKEN' } } },
};
const { config } = parseManagementConfig(block, { TOKEN }, {});
const surface = createMcpSurface(
  { toolset: () => toolset, logger: silentLogger, clock: createSystemClock() },
  { name: 'svc', version: '1.0.0' },
  config,
);
const frame = (result) =>
  `event: message\ndata: ${JSON.stringify({ result, jsonrpc: '2.0', id: 1 })}\n\n`;
const bare = (text) => (request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  });
};
const listeners = {
  'raw-list': bare(frame({ tools })),
  'raw-call': bare(frame(answer)),
  surface: (request, response) => {
    if (!surface.handle(request, response)) response.writeHead(404).end();
  },
};
const server = createServer(listeners[process.argv[2]]);
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
let start = process.cpuUsage();
process.on('message', (message) => {
  if (message === 'mark') start = process.cpuUsage();
  const { user, system } = process.cpuUsage(start);
  process.send({ micros: user + system });
});
