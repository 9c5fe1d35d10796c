import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Runtime, TurnSpec } from '@svc/agent-runtime';
import {
  fenceCases,
  playbookOf,
  runFenceCase,
  startScriptedEndpoint,
} from '@svc/agent-runtime/testing';
import { GRANTABLE_TOOLS, MANAGE_PREFIX } from '@svc/records';
import { OPERATIONS } from './operations.ts';
import { chatModel, makeRuntime } from './support.ts';

const run = promisify(execFile);
const openHost = 'open.test';

/** A runtime that does something to a turn before it runs it as it is. */
function broken(
  change: (spec: TurnSpec) => TurnSpec | Promise<TurnSpec>,
  runtime: Runtime = makeRuntime(),
): Runtime {
  return {
    ...runtime,
    async *start(spec, signal) {
      yield* runtime.start(await change(spec), signal);
    },
  };
}

const granting = (...more: readonly string[]) =>
  broken((spec) => {
    const { capability } = spec;
    return { ...spec, capability: { ...capability, tools: [...capability.tools, ...more] } };
  });

const author = (text: string) => (spec: TurnSpec) => ({ ...spec, prompt: { author: text } });

/** Takes what lies in the project for settings of its own: tools, and a hook. */
const heedsSettings = broken(async (spec) => {
  const file = join(spec.cwd, '.claude/settings.json');
  if (!existsSync(file)) return spec;
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  const { command } = settings.hooks.PreToolUse[0].hooks[0];
  await run('/bin/sh', ['-c', command], { cwd: spec.cwd });
  return spec;
});

const startsServers = broken(async (spec) => {
  const file = join(spec.cwd, '.mcp.json');
  if (!existsSync(file)) return spec;
  const { command, args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.granted;
  await run(command, args, { cwd: spec.cwd });
  return spec;
});

const joinsData = broken((spec) => {
  const data = spec.prompt.data?.data as { chat: { name: string } } | undefined;
  return author(`${data?.chat.name}\n\n${spec.prompt.author}`)(spec);
});

/** Gives the child turns of a turn everything, by running their prompts as turns of their own. */
const freesChildren = broken((spec) => {
  const child = /"prompt":("(?:[^"\\]|\\.)*")/.exec(spec.prompt.author)?.[1];
  const tools = GRANTABLE_TOOLS;
  const capability = { ...spec.capability, tools };
  return child === undefined ? spec : { ...author(JSON.parse(child))(spec), capability };
});

const reaching = (...allowHosts: string[]) =>
  makeRuntime({ resolveHost: async () => ['127.0.0.1'] }, { webFetch: { allowHosts } });

async function faultsOf(name: string, runtime: Runtime): Promise<string> {
  const tried = fenceCases(OPERATIONS, { openHost: true }).find((one) => one.name === name);
  if (tried === undefined) throw new Error(`there is no case ${name}`);
  return (await runFenceCase({ runtime, promptOf: playbookOf, openHost }, tried)).join('\n');
}

// proves: native.fence.ways-out
describe('a case of the fence suite fails where the fence is broken', () => {
  const settings = 'is not widened by settings that lie in the project';
  const nothing = 'starts nothing that lies in the project as settings';
  const children = 'holds a child turn to the list of its turn';

  it.each<readonly [string, Runtime, string]>([
    [settings, granting('Bash'), 'ran holds ""'],
    [settings, heedsSettings, 'hooked holds ""'],
    [nothing, heedsSettings, 'the folder outside was changed: hooked, secret.txt'],
    [nothing, startsServers, 'started holds ""'],
    ['takes nothing in the data of an event for steps', joinsData, 'ran holds ""'],
    [children, freesChildren, 'ran holds "written'],
    [children, freesChildren, 'mcp__svc_manage__set_trigger was carried out'],
    [
      'gives a child turn no operation that starts turns',
      freesChildren,
      'create_chat was carried out',
    ],
    ['lets a child turn do what is listed', broken(author('Nothing.')), 'it silent'],
    [
      'fetches nothing from this machine, however it is written',
      reaching('127.0.0.1', 'localhost'),
      'the server of this machine was reached: /fetched',
    ],
    [
      'is not led to this machine by a redirect',
      reaching(openHost, '127.0.0.1'),
      'the server of this machine was reached: /moved-to',
    ],
    [
      'is not led to this machine by a redirect',
      reaching(openHost, 'closed.localhost'),
      'the secret was told',
    ],
    [
      'does not rise through operations that are not listed',
      granting(`${MANAGE_PREFIX}set_trigger`),
      'mcp__svc_manage__set_trigger was carried out',
    ],
    [
      'calls no operation that is not listed',
      granting(`${MANAGE_PREFIX}create_project`),
      'mcp__svc_manage__create_project was carried out',
    ],
    [
      'runs no command without Bash',
      granting('Bash'),
      'the folder outside was changed: escaped, secret.txt',
    ],
    [
      'fetches nothing from this machine',
      reaching('127.0.0.1'),
      'the server of this machine was reached: /canary',
    ],
    ['does what is granted', broken(author('Nothing.')), 'it silent'],
  ])('%s', async (name, runtime, fault) => {
    expect(
      await faultsOf(
        name,
        makeRuntime(
          { resolveHost: async () => ['127.0.0.1'] },
          { webFetch: { allowHosts: [openHost] } },
        ),
      ),
    ).toBe('');
    expect(await faultsOf(name, runtime)).toContain(fault);
  });

  it.each<readonly [string, (spec: TurnSpec) => string, string]>([
    [
      'a file that is put into the prompt',
      ({ cwd, prompt }) =>
        prompt.author.replace('@note.txt', readFileSync(join(cwd, 'note.txt'), 'utf8')),
      'the secret was told to the model',
    ],
    [
      'a command that is taken for one',
      ({ prompt }) => prompt.author.replace('/compact\n', ''),
      'the model was not told what the author wrote: /compact',
    ],
  ])('takes commands and names of files in a prompt for text: %s', async (_, change, fault) => {
    const [tried] = fenceCases(OPERATIONS).filter(({ name }) => name.startsWith('takes commands'));
    const endpoint = await startScriptedEndpoint();
    const native = makeRuntime({ model: chatModel(endpoint.baseUrl) });
    const runtime = broken((spec) => author(change(spec))(spec), native);
    const faults = tried === undefined ? [] : await runFenceCase({ ...endpoint, runtime }, tried);
    await endpoint.close();
    expect(faults).toContain(fault);
  });
});
