import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ModelStep } from '@svc/agent-runtime';
import { call, inFolder, makeRuntime, makeSpec, runTurn, scripted } from './support.ts';

const SECRET = 'the secret outside';
const ONLY_OUTSIDE = 'only-outside';

// A separate process that swaps as fast as it can, so that it runs concurrently. The tools under test write to the same
// path, so each round starts by restoring both files.
function swapper(place: string, target: string): ChildProcess {
  const script = `
    const { existsSync, renameSync, rmSync, symlinkSync } = require('node:fs');
    const [place, target] = process.argv.slice(1);
    const [link, aside] = [place + '.link', place + '.aside'];
    const still = new Int32Array(new SharedArrayBuffer(4));
    const wait = () => Atomics.wait(still, 0, 0, Math.random() / 2);
    for (;;) {
      wait();
      try {
        rmSync(link, { recursive: true, force: true });
        symlinkSync(target, link);
        if (existsSync(aside)) {
          rmSync(place, { recursive: true, force: true });
          renameSync(aside, place);
        }
        renameSync(place, aside);
        renameSync(link, place);
        wait();
        renameSync(place, link);
        renameSync(aside, place);
      } catch {
        // The tools were faster: the next round puts things back.
      }
    }`;
  return spawn(process.execPath, ['-e', script, place, target], { stdio: 'ignore' });
}

interface Scene {
  readonly project: string;
  readonly outside: string;
  /** What is swapped, and what the link that takes its place leads to. */
  readonly place: string;
  readonly target: string;
  /** The file in it, as the tools name it. */
  readonly file_path: string;
}

async function sceneIn(folder: string, kind: 'folder' | 'file'): Promise<Scene> {
  const [project, outside] = [join(folder, 'project'), join(folder, 'outside')];
  const file_path = kind === 'folder' ? 'place/a.txt' : 'a.txt';
  const place = join(project, kind === 'folder' ? 'place' : 'a.txt');
  await mkdir(kind === 'folder' ? place : project, { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'a.txt'), SECRET);
  await writeFile(join(outside, ONLY_OUTSIDE), SECRET);
  await writeFile(join(project, file_path), 'inside');
  const target = kind === 'folder' ? outside : join(outside, 'a.txt');
  return { project, outside, place, target, file_path };
}

const ROUNDS = 30;

async function tryEverything(scene: Scene) {
  const { file_path } = scene;
  const steps: ModelStep[] = Array.from({ length: ROUNDS }, (_, i) => ({
    text: null,
    calls: [
      call('Read', { file_path }),
      call('Write', { file_path: i % 2 ? file_path : 'place/new.txt', content: 'inside' }),
      call('Edit', { file_path, old_string: 'secret', new_string: 'open' }),
      call('Grep', { pattern: 'secret', output_mode: 'content' }),
      call('Glob', { pattern: '**' }),
    ],
  }));
  const runtime = makeRuntime({ model: scripted(steps) });
  const { results, end } = await runTurn(
    runtime,
    makeSpec(scene.project, { limits: { maxTurns: ROUNDS } }),
  );
  expect(end.toolCalls).toBe(ROUNDS * 5);
  return results;
}

describe('file tools', () => {
  it.each(['folder', 'file'] as const)(
    'do not read, list or write outside while a %s is replaced with a link, and report what they refuse',
    async (kind) => {
      await inFolder(async (folder) => {
        const scene = await sceneIn(folder, kind);
        const child = swapper(scene.place, scene.target);
        const results: string[] = [];
        // Runs until both states of the race occurred.
        const met = () => results.includes('inside') && results.includes(away);
        const away = `${scene.file_path} is outside the project folder.`;
        for (let lap = 0; lap < 2 || (lap < 50 && !met()); lap += 1) {
          results.push(...(await tryEverything(scene)));
        }
        child.kill('SIGKILL');
        expect(results.filter((text) => text.includes(SECRET))).toEqual([]);
        expect(results.filter((text) => text.includes(ONLY_OUTSIDE))).toEqual([]);
        expect(results.filter((text) => /\bE[A-Z]{3,}\b|\/proc\//.test(text))).toEqual([]);
        expect(await readFile(join(scene.outside, 'a.txt'), 'utf8')).toBe(SECRET);
        expect((await readdir(scene.outside)).sort()).toEqual(['a.txt', ONLY_OUTSIDE]);
        expect(met()).toBe(true);
      });
    },
  );
});
