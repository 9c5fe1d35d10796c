import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { createManagementGate, parseManagementConfig } from '@svc/mgmt-auth';

it('the first example of the README answers as it says', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  expect(example).toContain('.listen(8080)');
  // Any free port will do here, so that the test can run beside whatever holds 8080.
  const servers: Server[] = [];
  const onFreePort = (listener: RequestListener) => ({
    listen: () => servers.push(createServer(listener).listen(0, '127.0.0.1')),
  });
  new Function(
    'createServer',
    'createManagementGate',
    'parseManagementConfig',
    example.replaceAll(/^import .*$/gm, ''),
  )(onFreePort, createManagementGate, parseManagementConfig);
  const [server] = servers;
  if (server === undefined) throw new Error('the example started no server');
  if (!server.listening) await once(server, 'listening');
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
