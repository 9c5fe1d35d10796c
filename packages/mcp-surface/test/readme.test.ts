import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import * as core from '@svc/core';
import * as surface from '@svc/mcp-surface';
import * as auth from '@svc/mgmt-auth';
import express from 'express';
import { eventsOf, post, rpc } from './fixture.ts';
import { ask } from './wire.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
const [first = ''] = examples;

/** Runs an example on a free port, because port 8080 may be in use. */
async function run(example: string): Promise<Server> {
  const servers: Server[] = [];
  const onFreePort = (listener: RequestListener) => ({
    listen: () => servers.push(createServer(listener).listen(0, '127.0.0.1')),
  });
  const application = Object.assign(() => {
    const app = express();
    return Object.assign(app, { listen: () => onFreePort(app).listen() });
  }, express);
  const names = { ...core, ...surface, ...auth, createServer: onFreePort, express: application };
  const code = example.replaceAll(/^import .*$/gm, '');
  new Function(...Object.keys(names), code)(...Object.values(names));
  const [server] = servers;
  if (server === undefined) throw new Error('the example started no server');
  if (!server.listening) await once(server, 'listening');
  return server;
}

it.each(examples)('an example of the README returns what it shows', async (example) => {
  expect(example).toContain('.listen(8080)');
  const server = await run(example);
  const { port } = server.address() as AddressInfo;
  // The responses are documented under the first example only.
  const calls = [...first.matchAll(/^\/\/ (\S+)(?: (\S+))? -> (.*)$/gm)];
  expect(calls).toHaveLength(3);
  for (const [, method = '', name, answer = ''] of calls) {
    const request = rpc(method, name === undefined ? {} : { name });
    const { body } = await ask(port, post(request, { token: 'tok_home_0123456789abcdef' }));
    expect(eventsOf(body)).toEqual([JSON.parse(answer)]);
  }
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('the examples import only the dependencies of the package', () => {
  for (const example of examples) {
    const sources = [...example.matchAll(/^import .* from '(.*)';$/gm)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      expect(source).toMatch(/^(?:node:http|express|@svc\/(?:core|mcp-surface|mgmt-auth))$/);
    }
  }
});
