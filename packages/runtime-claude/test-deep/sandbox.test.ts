import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AgentUser,
  createTurnSandboxes,
  resolveAgentUser,
  type TurnSandboxes,
} from '@svc/agent-runtime';
import { silentLogger } from '@svc/core';
import type { ScriptedStep } from '@svc/runtime-claude/testing';
import { createSandboxHost, type HostList, parseHostList } from '@svc/sandbox';
import { clock, makeSpec, runTurn } from '../test/support.ts';
import { FILE_HELPER, inWorld, type World } from './world.ts';

const bash = (command: string): ScriptedStep => ({ calls: [{ name: 'Bash', input: { command } }] });
const fetching = (url: string): string =>
  `node -e 'fetch("${url}").then((one) => one.text()).then(console.log, (error) => console.log(error.cause.code))'`;
const MIB = 1024 * 1024;
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

let server: Server;
let port = 0;
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('content-type', 'text/plain').end('of this machine');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function listOf(entries: readonly string[]): HostList {
  const list = parseHostList(entries);
  if (!list.ok) throw new Error(list.error.message);
  return list.value;
}

/** Sandboxes in which neither the state of the runtime nor other folders exist. */
function sandboxesIn(
  { state, outside }: World,
  entries: readonly string[],
  user: AgentUser | null = null,
): TurnSandboxes {
  const host = createSandboxHost(
    { clock, logger: silentLogger },
    {
      ...{ path: PATH, node: process.execPath, readOnly: [], writable: [], user },
      stateFolder: join(outside, 'sandbox'),
      hide: [state, outside],
      limits: { memoryBytes: 2048 * MIB, processes: 512, cpuMs: null },
    },
  );
  return createTurnSandboxes(
    { clock, host },
    {
      ...{ mode: 'required', homes: join(outside, 'sandbox/homes'), path: PATH, isSupported: true },
      ...{ network: { hosts: listOf(entries) }, sharesNetwork: false },
    },
  );
}

describe('the agent program in a sandbox', () => {
  it('sees its project and no other file, and connects only to listed hosts', () =>
    inWorld(async (world) => {
      const { project, outside, state, model, createRuntime } = world;
      await writeFile(join(outside, 'secret.txt'), 'not for agents');
      await writeFile(join(project, 'project.yaml'), 'name: demo\n');
      model.script([
        bash(
          [
            `cat ${outside}/secret.txt ${state}/config/* /proc/*/environ | tr '\\0' '\\n'`,
            `ls -A ${outside} ${state}; echo x: 1 >> project.yaml; echo kept > notes.md`,
            fetching(`http://127.0.0.1:${port}/direct`),
            fetching(`${model.url}/v1/messages`),
            '(setsid sleep 7654 &) > /dev/null 2>&1; echo end',
          ].join('\n'),
        ),
        { calls: [{ name: 'WebFetch', input: { url: 'http://unlisted.invalid/', prompt: 'x' } }] },
        { text: 'It is done.' },
      ]);
      const runtime = createRuntime({
        sandboxes: sandboxesIn(world, [`127.0.0.1:${port}`, 'listed.invalid']),
      });
      expect(runtime.holds).toMatchObject({ network: 'all' });
      const { end, messages } = await runTurn(runtime, makeSpec(project));
      expect(end).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced', turns: 3 });
      const printed = messages.find(({ kind }) => kind === 'tool_result')?.text ?? '';
      expect(printed).toMatch(/end/);
      expect(printed).not.toContain('not for agents');
      expect(printed).toContain('of this machine');
      expect(printed).toContain('ECONNREFUSED');
      expect(asked).toEqual(['/direct']);
      expect(await readFile(join(project, 'project.yaml'), 'utf8')).toBe('name: demo\n');
      expect(await readFile(join(project, 'notes.md'), 'utf8')).toBe('kept\n');
      expect(end.network?.reached).toMatchObject([{ host: '127.0.0.1', port, count: 1 }]);
      expect(end.network?.refused).toMatchObject([{ host: 'unlisted.invalid' }]);
    }));

  it('resumes its sessions, and those from before it had a sandbox', () =>
    inWorld(async (world) => {
      const { project, model, runtime, createRuntime } = world;
      await mkdir(join(project, '.git'), { recursive: true });
      model.script([{ text: 'First.' }]);
      const spec = makeSpec(project, { prompt: { author: 'The word is kestrel.' } });
      const [ref = ''] = (await runTurn(runtime, spec)).sessions;
      const sandboxed = createRuntime({ sandboxes: sandboxesIn(world, []) });
      const knows = async (): Promise<boolean> => {
        model.script([{ text: 'Again.' }]);
        const more = { resume: { ref, fork: false }, sessionId: spec.sessionId };
        const { end } = await runTurn(sandboxed, makeSpec(project, more));
        expect(end).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
        return JSON.stringify(model.requests[0]?.body).includes('kestrel');
      };
      expect(await knows()).toBe(true);
      await rm(join(world.state, 'config'), { recursive: true });
      expect(await knows()).toBe(true);
    }));

  (process.getuid?.() === 0 ? it : it.skip)('runs as the user of agents', async () => {
    const user = await resolveAgentUser({ clock }, { user: '65534', fileHelper: FILE_HELPER });
    if (!user.ok) throw new Error(user.error);
    const { uid, gid } = user.value;
    await inWorld(
      async (world) => {
        const { project, outside, model, createRuntime } = world;
        await chmod(dirname(project), 0o711);
        for (const folder of [project, outside]) await chown(folder, uid, gid);
        model.script([bash('id -u > who; ls -A ~')]);
        const sandboxes = sandboxesIn(world, [], user.value);
        const runtime = createRuntime({ sandboxes });
        const { end } = await runTurn(runtime, makeSpec(project));
        expect(end).toMatchObject({ reason: null, outcome: 'succeeded', sandbox: 'enforced' });
        expect(await readFile(join(project, 'who'), 'utf8')).toBe(`${uid}\n`);
      },
      { user: user.value },
    );
  });

  it('fails its turn at a limit, with the reason', () =>
    inWorld(async (world) => {
      const { project, model, createRuntime } = world;
      model.script([bash('head -c 3000000000 /dev/zero | tail -c 2900000000 | wc -c')]);
      const sandboxes = sandboxesIn(world, []);
      const { end } = await runTurn(createRuntime({ sandboxes }), makeSpec(project));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('the limit is 2048 MiB'),
      });
    }));
});
