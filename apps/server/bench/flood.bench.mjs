// @ts-check
// Measures clients that send endless requests and read no answers: memory of the service, and the response time of /livez.
import { connect } from 'node:net';
import { makeHome, manyTriggers, print, quantile, removeHome, startServer } from './support.mjs';

const CONNECTIONS = 20;
const EVERY_MS = 100;
const BYTES_EACH = 2_000_000;
const SECONDS = 5;
const FLOODS = {
  'many requests': (/** @type {string} */ path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'long heads': (/** @type {string} */ path) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(12_000)}\r\n\r\n`,
};

/** Opens connections one after the other and sends all bytes on each. @param {number} port @param {Buffer} bytes */
function flood(port, bytes) {
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  const timer = setInterval(() => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.pause();
    socket.on('error', () => {});
    sockets.push(socket);
    if (sockets.length === CONNECTIONS) clearInterval(timer);
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}

/** @param {string} name @param {(path: string) => string} requestOf */
async function measure(name, requestOf) {
  const home = makeHome({ 'projects/demo/project.yaml': manyTriggers(100) });
  const server = await startServer(home);
  const request = requestOf('/api/projects/demo/triggers');
  const bytes = Buffer.from(request.repeat(Math.ceil(BYTES_EACH / request.length)));
  const port = Number(new URL(server.url).port);
  const before = server.rssMb();
  const stop = flood(port, bytes);
  const until = performance.now() + SECONDS * 1000;
  const waits = [];
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, server.rssMb());
  }, 50);
  while (performance.now() < until) {
    const from = performance.now();
    await (await fetch(`${server.url}/livez`)).text();
    waits.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  clearInterval(watch);
  stop();
  print(
    `${name.padEnd(14)} ${CONNECTIONS} connections of 2 MB   RSS ${before.toFixed(0)} -> ${most.toFixed(0)} MB   /livez median ${quantile(waits, 0.5).toFixed(0)} ms, worst ${Math.max(...waits).toFixed(0)} ms`,
  );
  await server.stop();
  removeHome(home);
}

for (const [name, requestOf] of Object.entries(FLOODS)) await measure(name, requestOf);
