import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { ModelCall, NativeRuntimeOptions } from '@svc/agent-runtime';
import {
  call,
  clock,
  inFolder,
  makeRuntime,
  makeSpec,
  play,
  runTurn,
  scripted,
  step,
} from './support.ts';

jest.setTimeout(30_000);

const MIB = 1024 * 1024;

// A model that continues after every result.
async function callAll(folder: string, calls: readonly ModelCall[], options: NativeRuntimeOptions) {
  const last = { text: 'Done.', calls: [] };
  const model = scripted([{ text: null, calls }, last]);
  return runTurn(makeRuntime({ model }, options), makeSpec(folder));
}

const write = (file_path: string, content = 'x') => call('Write', { file_path, content });

// A clock that advances only when it is read and counts the yields to the event loop.
function countingClock() {
  let now = 0;
  const counted = {
    ...clock,
    yields: 0,
    mono: () => {
      now += 1;
      return now;
    },
    yield: () => {
      counted.yields += 1;
      return clock.yield();
    },
  };
  return counted;
}

describe('a file of more than 10 MiB', () => {
  const TOO_LARGE = 'would be larger than 10 MiB, the limit for file tools.';
  const notebook = (cells: unknown) => JSON.stringify({ cells, nbformat: 4 });
  const text = 'a'.repeat(10 * MIB);
  const empty = '[],'.repeat(200_000);

  it.each([
    ['Write', '', { file_path: './f', content: 'x'.repeat(10 * MIB + 1) }],
    ['Write', '', { file_path: './f', content: 'ä'.repeat(5 * MIB + 1) }],
    [
      'Edit',
      text,
      { file_path: './f', old_string: 'a', new_string: 'x'.repeat(5000), replace_all: true },
    ],
    ['Edit', 'a b', { file_path: './f', old_string: 'a', new_string: 'x'.repeat(10 * MIB) }],
    [
      'NotebookEdit',
      notebook([{ cell_type: 'code', source: [] }]),
      { notebook_path: './f', cell_number: 0, new_source: 'x'.repeat(10 * MIB) },
    ],
    [
      'NotebookEdit',
      notebook([{ cell_type: 'raw', source: [], metadata: 'DEEP' }]).replace(
        '"DEEP"',
        `${'['.repeat(90)}${empty}1${']'.repeat(90)}`,
      ),
      { notebook_path: './f', cell_number: 0, new_source: 'x' },
    ],
  ])('is never written by %s', async (name, before, input) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f'), before);
      const { results, end } = await callAll(folder, [call(name, input)], {});
      expect(results[0]).toBe(`./f ${TOO_LARGE}`);
      expect(end.outcome).toBe('succeeded');
      expect(await readFile(join(folder, 'f'), 'utf8')).toBe(before);
    });
  });

  it('exceeds the limit by one byte', async () => {
    await inFolder(async (folder) => {
      const half = 'x'.repeat(5 * MIB);
      await writeFile(join(folder, 'edited'), `${half}ab`);
      const edit = { file_path: 'edited', old_string: 'ab', new_string: half };
      const calls = [write('written', half + half), call('Edit', edit)];
      const { results } = await callAll(folder, calls, {});
      expect(results[1]).toBe('Replaced 1 occurrence in edited.');
      for (const name of ['written', 'edited']) {
        expect((await stat(join(folder, name))).size).toBe(10 * MIB);
      }
    });
  });
});

describe('Edit', () => {
  it.each([
    ['every letter of a large file', 'a', 'b'],
    ['a text that makes fast searches slow', `${'a'.repeat(60_000)}b${'a'.repeat(60_000)}`, 'b'],
  ])('yields to the event loop while it searches %s', async (_, old_string, new_string) => {
    await inFolder(async (folder) => {
      const file = join(folder, 'f');
      await writeFile(file, 'a'.repeat(MIB) + (old_string === 'a' ? '' : old_string));
      const input = { file_path: 'f', old_string, new_string, replace_all: true };
      const slow = countingClock();
      const spec = makeSpec(folder, { prompt: step('Edit', input) });
      const { results } = await runTurn(makeRuntime({ clock: slow }), spec);
      expect(results[0]).toMatch(/^Replaced [\d,]+ occurrences? in f\.$/);
      expect((await readFile(file, 'utf8')).endsWith('b')).toBe(true);
      expect(slow.yields).toBeGreaterThan(20);
    });
  });

  it.each([
    ['aaaaa', 'aa', 'b', 'bba'],
    ['abababa', 'aba', '', 'b'],
    ['aabaabaaab', 'aabaaab', '-', 'aab-'],
    ['äöä', 'ä', 'ö', 'ööö'],
    ['x\r\ny', '\r\n', '\n', 'x\ny'],
  ])('replaces in %j every %j by %j', async (before, old_string, new_string, after) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f'), before);
      await play(
        folder,
        step('Edit', { file_path: 'f', old_string, new_string, replace_all: true }),
      );
      expect(await readFile(join(folder, 'f'), 'utf8')).toBe(after);
    });
  });
});

describe('the limits of a turn', () => {
  const FILES =
    / was not written: the turn has reached its limit of files and new folders \(limits\.filesPerTurn: 3\)\.$/;
  const BYTES = / was not written: its 5 bytes exceed the 4 bytes left for the turn /;

  it('stop it from writing more files, each counted once, without ending it', async () => {
    await inFolder(async (folder) => {
      const calls = [write('a'), write('b'), write('a'), write('c'), write('d'), write('./a')];
      const { results, end } = await callAll(folder, calls, { limits: { filesPerTurn: 3 } });
      expect(results.map((text) => /^(?:Created|Replaced)/.exec(text)?.[0] ?? text)).toEqual([
        'Created',
        'Created',
        'Replaced',
        'Created',
        expect.stringMatching(FILES),
        'Replaced',
      ]);
      expect(end).toMatchObject({ outcome: 'succeeded', denied: [] });
      expect((await readdir(folder)).sort()).toEqual(['a', 'b', 'c']);
    });
  });

  it('count the folders created for a file', async () => {
    await inFolder(async (folder) => {
      const calls = [write('a/b/c'), write('a/b/c'), write('a/b/d')];
      const { results } = await callAll(folder, calls, { limits: { filesPerTurn: 3 } });
      expect(results[1]).toBe('Replaced a/b/c (1 byte).');
      expect(results[2]).toMatch(FILES);
    });
  });

  it('do not count failed writes', async () => {
    await inFolder(async (folder) => {
      const calls = [write('../a', '12345'), write('project.yaml', '12345'), write('b', '12345')];
      const limits = { filesPerTurn: 1, bytesPerTurn: 5 };
      const { results } = await callAll(folder, calls, { limits });
      expect(results[2]).toBe('Created b (5 bytes).');
    });
  });

  it('stop it from writing more bytes, rewritten files counted again', async () => {
    await inFolder(async (folder) => {
      const calls = [write('a', '123'), write('a', '123'), write('a', '12345'), write('b', '1234')];
      const { results } = await callAll(folder, calls, { limits: { bytesPerTurn: 10 } });
      expect(results[2]).toMatch(BYTES);
      expect(results[3]).toBe('Created b (4 bytes).');
      expect(await readFile(join(folder, 'a'), 'utf8')).toBe('123');
    });
  });

  it.each([
    ['Edit', { file_path: 'n.ipynb', old_string: 'cells', new_string: 'cell_s' }],
    ['NotebookEdit', { notebook_path: 'n.ipynb', edit_mode: 'delete', cell_number: 0 }],
  ])('apply to %s too', async (name, input) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'n.ipynb'), '{"cells": [{}]}');
      const options = { limits: { bytesPerTurn: 10 } };
      const { results } = await callAll(folder, [call(name, input)], options);
      expect(results[0]).toMatch(
        /exceed the 10 bytes left for the turn \(limits\.bytesPerTurn: 10\)\.$/,
      );
    });
  });

  it('are shared by its child turns', async () => {
    await inFolder(async (folder) => {
      const child = step('Write', { file_path: 'a', content: '123456' });
      const prompt =
        step('Task', { prompt: child }) + step('Write', { file_path: 'b', content: '12345' });
      const runtime = makeRuntime({}, { limits: { bytesPerTurn: 10 } });
      const { end, results } = await runTurn(runtime, makeSpec(folder, { prompt }));
      expect(results[2]).toMatch(BYTES);
      expect(end).toMatchObject({ outcome: 'failed' });
      expect(end.reason).toMatch(
        /^Step 2 \(Write\) failed: b was not written: its 5 bytes exceed the/,
      );
      // A new turn starts at zero.
      const next = await runTurn(runtime, makeSpec(folder, { prompt: child }));
      expect(next.end.outcome).toBe('succeeded');
    });
  });
});

describe('a result of more than 256 KiB', () => {
  it('is truncated while it is built: Grep and Glob', async () => {
    await inFolder(async (folder) => {
      const deep = Array.from({ length: 14 }, (_, i) => String(i).repeat(120)).join('/');
      await mkdir(join(folder, deep), { recursive: true });
      for (let i = 0; i < 200; i += 1)
        await writeFile(join(folder, deep, `f${i}`), 'alpha\n'.repeat(9));
      const grep = { pattern: 'alpha', output_mode: 'content' };
      const { results } = await callAll(
        folder,
        [call('Grep', grep), call('Glob', { pattern: '**' })],
        {},
      );
      for (const [result, what] of [
        [results[0], 'lines'],
        [results[1], 'files'],
      ] as const) {
        const lines = result?.split('\n') ?? [];
        expect(lines.at(-1)).toBe(`[Cut: the first ${lines.length - 1} ${what} are shown.]`);
        expect(lines.length).toBeGreaterThan(100);
        expect(Buffer.byteLength(result ?? '')).toBeLessThanOrEqual(256 * 1024);
      }
    });
  });

  it.each([
    [{}, 'the first 262144 of 10485760 bytes'],
    [{ offset: 2 }, 'the first 262144 of 10485758 bytes'],
    [{ offset: 11, limit: 1_000_000 }, 'the first 262144 of 2000000 bytes'],
  ])('is truncated with a mark that shows the total size: Read with %j', async (input, mark) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f'), 'x\n'.repeat(5 * MIB));
      const { results } = await callAll(folder, [call('Read', { file_path: 'f', ...input })], {});
      expect(results[0]?.slice(262_144)).toBe(`\n[Cut: ${mark} are shown.]`);
    });
  });
});

describe('Read', () => {
  it.each([
    ['', { offset: 2 }, 'f has only 1 line.'],
    ['a', { offset: 2 }, 'f has only 1 line.'],
    ['a\n', { offset: 2 }, 'f has only 1 line.'],
    ['a\nb', { offset: 3 }, 'f has only 2 lines.'],
    ['a\nb', { offset: 2, limit: 5 }, 'b'],
    ['\n\nb', { offset: 2, limit: 1 }, '\n'],
    ['', { offset: 1 }, ''],
    ['\uFEFFä\r\n', { limit: 1 }, '\uFEFFä\r\n'],
  ])('of %j with %j returns %j', async (content, input, result) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f'), content);
      const { results } = await callAll(folder, [call('Read', { file_path: 'f', ...input })], {});
      expect(results[0]).toBe(result);
    });
  });
});

describe('NotebookEdit', () => {
  it.each([
    [
      'nested',
      `{"cells": [${'['.repeat(200)}${']'.repeat(200)}]}`,
      'nested deeper than 100 levels',
    ],
    ['large', `{"cells": [${'0,'.repeat(500_000)}0]}`, 'made of more than 500000 parts'],
  ])('rejects a notebook that is too %s', async (_, content, excess) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'n'), content);
      const input = { notebook_path: 'n', edit_mode: 'delete', cell_number: 0 };
      const { results } = await callAll(folder, [call('NotebookEdit', input)], {});
      expect(results[0]).toBe(`n cannot be edited: it is ${excess}.`);
    });
  });
});

describe('a tool block that is nested 100,000 deep', () => {
  it('fails its step immediately', async () => {
    await inFolder(async (folder) => {
      const block = `~~~tool Read\n${'['.repeat(100_000)}${']'.repeat(100_000)}\n~~~\n`;
      const { end, messages } = await play(folder, step('Task', { prompt: block }));
      expect(end).toMatchObject({ outcome: 'failed', toolCalls: 2 });
      expect(end.reason).toContain('The input of Read on line 1 is nested deeper than 64 levels.');
      expect(messages.map(({ tool }) => tool?.name)).toContain('Read');
    });
  });
});
