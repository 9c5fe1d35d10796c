// @ts-check
// A third-party client for a running server: node protocol-clients.mjs FOLDER classic|auto|pinned URL [TOKEN]
// Reads steps, each [METHOD, …ARGUMENTS] of the client, from standard input, and prints their results as JSON.
import { text } from 'node:stream/consumers';

const [folder, mode = '', url = '', token] = process.argv.slice(2);
const scope = `${folder}/node_modules/@modelcontextprotocol`;
const info = { name: 'protocol-test', version: '1.0.0' };

async function classicParts() {
  const { Client } = await import(`${scope}/sdk/dist/esm/client/index.js`);
  const http = await import(`${scope}/sdk/dist/esm/client/streamableHttp.js`);
  return { client: new Client(info), Transport: http.StreamableHTTPClientTransport };
}

async function modernParts() {
  const library = await import(`${scope}/client/dist/index.mjs`);
  const versionNegotiation = { mode: mode === 'auto' ? 'auto' : { pin: '2026-07-28' } };
  return {
    client: new library.Client(info, { versionNegotiation }),
    Transport: library.StreamableHTTPClientTransport,
  };
}

const { client, Transport } = await (mode === 'classic' ? classicParts() : modernParts());
/** @type {{ method: string, status: number, type: string | null }[]} */
const exchanges = [];
const transport = new Transport(new URL(url), {
  requestInit: { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } },
  async fetch(/** @type {string | URL} */ to, /** @type {RequestInit} */ init) {
    const response = await fetch(to, init);
    const type = response.headers.get('content-type');
    exchanges.push({ method: init.method ?? 'GET', status: response.status, type });
    return response;
  },
});

/** @type {Record<string, () => unknown>} */
const ownSteps = {
  connect: () => client.connect(transport),
  revision: () => client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion,
};

/** @param {[string, ...unknown[]]} step */
async function take([method, ...args]) {
  try {
    const own = ownSteps[method];
    return { value: await (own === undefined ? client[method](...args) : own()) };
  } catch (error) {
    const { message, code, status } = /** @type {any} */ (error);
    return {
      error: { name: /** @type {Error} */ (error).constructor.name, message, code, status },
    };
  }
}

const results = [];
for (const step of JSON.parse(await text(process.stdin))) results.push(await take(step));
process.stdout.write(JSON.stringify({ results, exchanges }));
