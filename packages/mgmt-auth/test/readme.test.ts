import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createManagementGate, parseManagementConfig } from '@svc/mgmt-auth';
import express from 'express';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);

/** Runs an example with injected libraries, on a free port instead of its own. */
async function start(example: string): Promise<Server> {
  const servers: Server[] = [];
  const onFreePort = (listener: RequestListener) => ({
    listen: () => servers.push(createServer(listener).listen(0, '127.0.0.1')),
  });
  const onFreePortToo = () => {
    const app = express();
    app.listen = (() => onFreePort(app).listen()) as never;
    return app;
  };
  new Function(
    'createServer',
    'express',
    'createManagementGate',
    'parseManagementConfig',
    example.replaceAll(/^import .*$/gm, ''),
  )(onFreePort, onFreePortToo, createManagementGate, parseManagementConfig);
  const [server] = servers;
  if (server === undefined) throw new Error('the example started no server');
  if (!server.listening) await once(server, 'listening');
  return server;
}

describe('the examples of the README', () => {
  it('are one for node:http and one for Express', () => {
    expect(examples.map((example) => /from '(node:http|express)'/.exec(example)?.[1])).toEqual([
      'node:http',
      'express',
    ]);
  });

  it.each(examples)('return what they show: %#', async (example) => {
    expect(example).toContain('.listen(8080)');
    const server = await start(example);
    const { port } = server.address() as AddressInfo;
    const calls = [
      ...example.matchAll(/^\/\/ curl -s (?:-H '(\S+): (.*?)' )?localhost:8080 -> (.*)$/gm),
    ];
    expect(calls).toHaveLength(2);
    for (const [, name, value = '', answer] of calls) {
      const headers = name === undefined ? {} : { [name]: value };
      const response = await fetch(`http://127.0.0.1:${port}`, { headers });
      expect(await response.text()).toBe(answer);
    }
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
});
