// @ts-check
// A peer server in its own process: `node mcp-peers.mjs <kind> <modules>`; the parent process sends the answers.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [kind = '', modules = ''] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
/** @param {string} name @returns {Promise<any>} */
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

/** @typedef {{ list: string, call: string, refusal: { status: number, headers: Record<string, string>, body: string }, tools: any[], result: any }} Samples */

const SSE = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};
const METHOD = /"method":"tools\/call"/;

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response @param {Samples} samples */
function answer(request, response, samples) {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.headers.authorization === undefined) {
      const { status, headers, body } = samples.refusal;
      return response
        .writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
        .end(body);
    }
    const body = METHOD.test(Buffer.concat(chunks).toString('latin1'))
      ? samples.call
      : samples.list;
    response.writeHead(200, { ...SSE, 'Content-Length': Buffer.byteLength(body) }).end(body);
  });
}

/** @type {Record<string, (samples: Samples) => Promise<number>>} */
const KINDS = {
  async raw(samples) {
    return listen(createServer((request, response) => answer(request, response, samples)));
  },
  async express(samples) {
    const { default: express } = await load('express');
    const app = express();
    app.post('/mcp', (/** @type {any} */ request, /** @type {any} */ response) =>
      answer(request, response, samples),
    );
    return listen(createServer(app));
  },
  async stock(samples) {
    const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
    const { StreamableHTTPServerTransport } = await load(
      '@modelcontextprotocol/sdk/server/streamableHttp.js',
    );
    const { default: express } = await load('express');
    const zod = await load('zod');
    const app = express();
    app.use(express.json());
    app.post('/mcp', async (/** @type {any} */ request, /** @type {any} */ response) => {
      if (request.headers.authorization === undefined) {
        return response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'no token' });
      }
      const server = new McpServer({ name: 'stock', version: '1' });
      for (const { name, description, inputSchema } of samples.tools) {
        server.registerTool(
          name,
          { description, inputSchema: zodShape(zod.z, inputSchema) },
          async () => samples.result,
        );
      }
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      response.on('close', () => {
        transport.close();
        server.close();
      });
      await server.connect(transport);
      await transport.handleRequest(request, response, request.body);
    });
    return listen(createServer(app));
  },
  async fastmcp(samples) {
    const { FastMCP } = await load('fastmcp');
    const { z } = await load('zod');
    const server = new FastMCP({
      name: 'fastmcp',
      version: '1.0.0',
      authenticate: async (/** @type {any} */ request) => {
        if (request?.headers.authorization === undefined) {
          throw new Response(null, { status: 401, statusText: 'Unauthorized' });
        }
        return { id: 1 };
      },
    });
    for (const { name, description, inputSchema } of samples.tools) {
      const parameters = z.object(zodShape(z, inputSchema));
      server.addTool({ name, description, parameters, execute: async () => samples.result });
    }
    const probe = createServer();
    const port = await listen(probe);
    await new Promise((resolve) => probe.close(resolve));
    await server.start({
      transportType: 'httpStream',
      httpStream: { port, host: '127.0.0.1', stateless: true, endpoint: '/mcp' },
    });
    return port;
  },
};

/** @param {any} z @param {any} schema @returns {Record<string, any>} */
function zodShape(z, schema) {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, { type, description = '' }]) => {
      const base =
        type === 'integer' ? z.number().int() : type === 'boolean' ? z.boolean() : z.string();
      const needed = schema.required?.includes(key) ?? false;
      return [key, (needed ? base : base.optional()).describe(description)];
    }),
  );
}

/** @param {import('node:http').Server} server @returns {Promise<number>} */
async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

process.once('message', async (samples) => {
  const port = await KINDS[kind]?.(/** @type {Samples} */ (samples));
  process.send?.(port);
});
process.once('disconnect', () => process.exit(0));
