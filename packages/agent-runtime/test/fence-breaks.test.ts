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
import { chatModel, makeRuntime, reaching } from './support.ts';

const run = promisify(execFile);
const openHost = 'open.test';

/** A runtime that changes a turn before it runs it. */
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

/** Reads settings from the project: tools, and a hook. */
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

/** Gives child turns all rights, by running their prompts as separate turns. */
const freesChildren = broken((spec) => {
  const child = /"prompt":("(?:[^"\\]|\\.)*")/.exec(spec.prompt.author)?.[1];
  const tools = GRANTABLE_TOOLS;
  const capability = { ...spec.capability, tools };
  return child === undefined ? spec : { ...author(JSON.parse(child))(spec), capability };
});

async function faultsOf(name: string, runtime: Runtime): Promise<string> {
  const tried = fenceCases(OPERATIONS, { openHost: true }).find((one) => one.name === name);
  if (tried === undefined) throw new Error(`there is no case ${name}`);
  return (await runFenceCase({ runtime, promptOf: playbookOf, openHost }, tried)).join('\n');
}

// proves: native.fence.ways-out
describe('a case of the fence suite fails if the fence is broken', () => {
  const settings = 'ignores settings in the project';
  const nothing = 'starts nothing from settings in the project';
  const children = 'limits a child turn to the list of its turn';

  it.each<readonly [string, Runtime, string]>([
    [settings, granting('Bash'), 'ran holds ""'],
    [settings, heedsSettings, 'hooked holds ""'],
    [nothing, heedsSettings, 'the folder outside was changed: hooked, secret.txt'],
    [nothing, startsServers, 'started holds ""'],
    ['runs no steps from event data', joinsData, 'ran holds ""'],
    [children, freesChildren, 'ran holds "written'],
    [children, freesChildren, 'mcp__svc_manage__set_trigger was executed'],
    [
      'gives a child turn no operation that starts turns',
      freesChildren,
      'create_chat was executed',
    ],
    ['lets a child turn run listed tools', broken(author('Nothing.')), 'it silent'],
    [
      'fetches nothing from this machine, in any notation',
      makeRuntime(...reaching('127.0.0.1')),
      'the server of this machine was reached: /fetched',
    ],
    [
      'does not follow a redirect to this machine',
      makeRuntime(...reaching('*', '127.0.0.1')),
      'the server of this machine was reached: /moved-to',
    ],
    [
      'does not follow a redirect to this machine',
      makeRuntime(...reaching(openHost, '127.0.0.1')),
      'the secret was disclosed',
    ],
    [
      'gains no rights through unlisted operations',
      granting(`${MANAGE_PREFIX}set_trigger`),
      'mcp__svc_manage__set_trigger was executed',
    ],
    [
      'calls no unlisted operation',
      granting(`${MANAGE_PREFIX}create_project`),
      'mcp__svc_manage__create_project was executed',
    ],
    [
      'runs no command without Bash',
      granting('Bash'),
      'the folder outside was changed: escaped, secret.txt',
    ],
    [
      'fetches nothing from this machine',
      makeRuntime(...reaching('*', '127.0.0.1')),
      'the server of this machine was reached: /self-test',
    ],
    ['runs a granted tool', broken(author('Nothing.')), 'it silent'],
  ])('%s', async (name, runtime, fault) => {
    expect(await faultsOf(name, makeRuntime(...reaching('*')))).toBe('');
    expect(await faultsOf(name, runtime)).toContain(fault);
  });

  it.each<readonly [string, (spec: TurnSpec) => string, string]>([
    [
      'a file that is inserted into the prompt',
      ({ cwd, prompt }) =>
        prompt.author.replace('@note.txt', readFileSync(join(cwd, 'note.txt'), 'utf8')),
      'the secret was sent to the model',
    ],
    [
      'a command that is executed',
      ({ prompt }) => prompt.author.replace('/compact\n', ''),
      'the text of the author was not sent to the model: /compact',
    ],
  ])('treats commands and file names in a prompt as text: %s', async (_, change, fault) => {
    const [tried] = fenceCases(OPERATIONS).filter(({ name }) => name.startsWith('treats commands'));
    const endpoint = await startScriptedEndpoint();
    const native = makeRuntime({ model: chatModel(endpoint.baseUrl) });
    const runtime = broken((spec) => author(change(spec))(spec), native);
    const faults = tried === undefined ? [] : await runFenceCase({ ...endpoint, runtime }, tried);
    await endpoint.close();
    expect(faults).toContain(fault);
  });
});
