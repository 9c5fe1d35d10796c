import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, code = '', output = ''] = /```js\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];
const ID = '01990c2e-7a10-7c33-9f0e-2b6d5a1f4c01';

let server: Server;
beforeAll(async () => {
  let stream: ServerResponse | null = null;
  server = createServer(({ url, method }, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (url === '/api/events') {
      stream = response.writeHead(200);
      stream.write(': changes follow\n\n');
      return;
    }
    if (method !== 'POST') {
      response.end('{"projects":[{"slug":"hello"}]}');
      return;
    }
    response.writeHead(202).end(JSON.stringify({ ok: true, runId: ID }));
    for (const kind of ['run', 'chat']) {
      const data = JSON.stringify({ kind, project: 'hello', id: ID });
      stream?.write(`id: 1\nevent: ${kind}\ndata: ${data}\n\n`);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('the example of the README prints what it shows', async () => {
  // The folder where it finds the package by its name.
  const folder = mkdtempSync(new URL('../dist/readme-', import.meta.url).pathname);
  try {
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(folder, 'example.mjs'), code.replace('7420', String(port)));
    const child = spawn(process.execPath, [join(folder, 'example.mjs')]);
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (said += chunk));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said.replaceAll(ID, '01990c2e-…')).toBe(`[ 'hello' ]\n${output}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
