import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type EventData, type Prompt, promptText, type TurnSpec } from '@svc/agent-runtime';
import { eventCases, runFenceCase, startScriptedEndpoint } from '@svc/agent-runtime/testing';
import { chatModel, makeRuntime } from './support.ts';

const run = promisify(execFile);

/** The prompt of a runtime that does not escape event data. */
type Writer = (prompt: Prompt) => string;

const block = (write: (data: EventData) => string): Writer => {
  return ({ author, data }) =>
    data === undefined ? author : `It happened.\n\n\`\`\`json\n${write(data)}\n\`\`\`\n\n${author}`;
};
const unescaped = block((data) => JSON.stringify(data, null, 2));
const bare = block((data) => textsIn(data).join('\n'));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** A program that looks for more than text in a prompt before its model reads it. */
type Reader = (text: string, spec: TurnSpec) => Promise<string>;

const trusting: Reader = async (text) => text;
const withoutBlocks: Reader = async (text) => text.replace(/^```.*\n[\s\S]*?^```$/gm, '');
const lastSpeaker: Reader = async (text) =>
  text.split(/^(?:Human|System|User):|<\|im_start\|>|<system>/m).at(-1) ?? '';

const mentions: Reader = async (text, { cwd }) =>
  text.replace(/@([\w./]+)/g, (mention, name: string) => {
    const file = join(cwd, name);
    return name !== '' && existsSync(file) ? readFileSync(file, 'utf8') : mention;
  });

const shellLines: Reader = async (text, { cwd }) => {
  const commands = text.matchAll(/^!([^`\n]+)$|!`([^`]+)`/gm);
  for (const [, line, inline] of commands) {
    await run('/bin/sh', ['-c', line ?? inline ?? ''], { cwd });
  }
  return text;
};

const ownCommands: Reader = async (text, spec) => {
  for (const [, name] of text.matchAll(/^\/(\w+)$/gm)) {
    const file = join(spec.cwd, '.claude/commands', `${name}.md`);
    if (existsSync(file)) await shellLines(readFileSync(file, 'utf8'), spec);
  }
  return text;
};

async function faultsOf(name: string, read: Reader, write: Writer): Promise<string> {
  const tried = eventCases().find((one) => one.name === name);
  if (tried === undefined) throw new Error(`there is no case ${name}`);
  const endpoint = await startScriptedEndpoint();
  const native = makeRuntime({ model: chatModel(endpoint.baseUrl) });
  const runtime = {
    ...native,
    async *start(spec: TurnSpec, signal: AbortSignal) {
      const author = await read(write(spec.prompt), spec);
      yield* native.start({ ...spec, prompt: { author } }, signal);
    },
  };
  try {
    return (await runFenceCase({ ...endpoint, runtime }, tried)).join('\n');
  } finally {
    await endpoint.close();
  }
}

// proves: native.fence.ways-out, events.data.opaque
describe('a case on event data fails if the data is not escaped', () => {
  it.each<readonly [string, Reader, Writer, string]>([
    ['runs no steps from event data', trusting, bare, 'ran holds ""'],
    ['does not let event data end its block', withoutBlocks, bare, 'ran holds ""'],
    [
      'reads no files that event data mentions',
      mentions,
      unescaped,
      'the secret was sent to the model',
    ],
    ['runs no program commands from event data', ownCommands, bare, 'ran holds ""'],
    ['runs no shell lines from event data', shellLines, unescaped, 'ran holds ""'],
    ['does not attribute event data to another speaker', lastSpeaker, bare, 'ran holds ""'],
  ])('%s', async (name, read, write, fault) => {
    expect(await faultsOf(name, read, promptText)).toBe('');
    expect(await faultsOf(name, read, write)).toContain(fault);
  });

  it('covers each case', () => {
    expect(eventCases()).toHaveLength(6);
  });
});
