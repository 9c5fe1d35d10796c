import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type ModelStep, TurnStop } from '@svc/agent-runtime';
import {
  bash,
  call,
  inFolder,
  isRunning,
  makeRuntime,
  makeSpec,
  runTurn,
  sameUser,
  scripted,
  step,
  until,
} from './support.ts';

// Each of these processes is a Node process, which starts slowly on a busy machine.
jest.setTimeout(30_000);

const LARGE = 10 * 1024 * 1024;

async function fill(folder: string): Promise<void> {
  await mkdir(join(folder, 'sub/deep'), { recursive: true });
  for (const skipped of ['.git', 'node_modules']) {
    await mkdir(join(folder, skipped));
    await writeFile(join(folder, skipped, 'three.txt'), 'three\n');
  }
  await writeFile(join(folder, 'a.txt'), 'one\ntwo ä\n');
  await writeFile(join(folder, 'sub/deep/b.txt'), 'two\n');
  await writeFile(join(folder, 'fixed.txt'), 'one\n');
  await chmod(join(folder, 'fixed.txt'), 0o444);
  await writeFile(join(folder, 'large.txt'), 'x'.repeat(LARGE + 1));
  await writeFile(join(folder, 'binary'), Buffer.from([0, 1, 2]));
  await symlink('sub/deep', join(folder, 'inside'));
  await symlink('/etc', join(folder, 'outside'));
}

const read = (file_path: string, more = {}) => call('Read', { file_path, ...more });
const write = (file_path: string, content = 'new\n') => call('Write', { file_path, content });
const edit = (file_path: string, more = {}) =>
  call('Edit', { file_path, old_string: 'two', new_string: 'three', ...more });

// Each tool with a success, and each way in which it can be refused or fail.
const CALLS = [
  ...[read('a.txt', { offset: 2 }), read('inside/b.txt'), read('none'), read('sub')],
  ...[read('large.txt'), read('binary'), read('outside/passwd'), read('../x'), read('a\0b')],
  ...[read('x'.repeat(5000)), read('x'.repeat(300)), read(`${'x/'.repeat(1000)}y`)],
  ...[
    write('new/er/file.md'),
    write('a.txt'),
    write('fixed.txt'),
    write('sub'),
    write('outside/x'),
  ],
  ...[
    write('project.yaml'),
    write('.git/config'),
    write('.svc/x'),
    write('large.md', 'ö'.repeat(LARGE / 2)),
  ],
  ...[read('large.md'), edit('a.txt'), edit('sub/deep/b.txt'), edit('inside/b.txt')],
  ...[call('Glob', { pattern: '**' }), call('Glob', { pattern: '*', path: 'none' })],
  call('Glob', { pattern: '*', path: 'outside' }),
  ...(['content', 'count', 'files_with_matches'] as const).map((output_mode) =>
    call('Grep', { pattern: 'e', output_mode }),
  ),
  call('Grep', { pattern: 'three', path: 'inside/b.txt', output_mode: 'content' }),
];

const steps = (calls: typeof CALLS): ModelStep[] =>
  calls.map((one) => ({ text: null, calls: [one] }));

async function treeOf(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = found.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const text = entry.isFile() ? readFileSync(path).toString('hex').slice(0, 100) : '';
    return `${path.slice(folder.length)} ${text}`;
  });
  return lines.sort();
}

/** Runs steps in a folder whose files are handled by a separate process, by default the file helper. */
const play = (folder: string, prompt: string, fileHelper = sameUser.fileHelper) =>
  runTurn(makeRuntime({}, { user: { ...sameUser, fileHelper } }), makeSpec(folder, { prompt }));

describe('files handled by another process', () => {
  it.each(['agent', 'keeper'] as const)(
    'give the tools of a turn (%s) the same results as in this process',
    async (runsAs) => {
      const seen: unknown[] = [];
      for (const options of [{}, { user: sameUser }]) {
        await inFolder(async (folder) => {
          await fill(folder);
          const model = scripted([...steps(CALLS), { text: 'Done.', calls: [] }]);
          const spec = makeSpec(folder, {
            capability: { runsAs },
            limits: { maxTurns: CALLS.length + 1 },
          });
          const { results, end } = await runTurn(makeRuntime({ model }, options), spec);
          seen.push([results, end.denied, await treeOf(folder)]);
          expect(results).toHaveLength(CALLS.length);
        });
      }
      expect(seen[1]).toEqual(seen[0]);
    },
  );

  it('are all found if there are many, up to the limit', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'many'));
      for (let n = 0; n < 1300; n += 1) await writeFile(join(folder, 'many', `${n}.md`), 'x\n');
      const count = step('Grep', { pattern: 'x', glob: '*9.md', output_mode: 'count' });
      const { results } = await play(folder, step('Glob', { pattern: '**/*.md' }) + count);
      const found = (results[0] ?? '').split('\n');
      expect(found.pop()).toBe('[Cut: the first 1000 files are shown.]');
      expect(new Set(found).size).toBe(1000);
      expect((results[1] ?? '').split('\n')).toHaveLength(130);
    });
  });

  it('are not overwritten after another process has changed them', async () => {
    await inFolder(async (folder) => {
      const late = `
        import fs from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const open = fs.promises.open;
        fs.promises.open = async (path, flags, ...more) => {
          if (String(path).endsWith('.tmp')) fs.writeFileSync(${JSON.stringify(join(folder, 'a.txt'))}, 'theirs');
          return open(path, flags, ...more);
        };
        syncBuiltinESMExports();
        await import(${JSON.stringify(/"(.*)"/.exec(sameUser.fileHelper)?.[1])});
      `;
      await writeFile(join(folder, 'a.txt'), 'two');
      const input = { file_path: 'a.txt', old_string: 'two', new_string: 'three' };
      const { end } = await play(folder, step('Edit', input), late);
      expect(end.reason).toMatch(/has changed since it was read/);
      expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('theirs');
    });
  });
});

describe('the file helper process', () => {
  const NOTED = 'noted.json';
  const noting = (folder: string) => `
    import { writeFileSync } from 'node:fs';
    const { env, pid } = process;
    writeFileSync(${JSON.stringify(join(folder, NOTED))}, JSON.stringify({ env, pid, cwd: process.cwd() }));
    ${sameUser.fileHelper}
  `;
  const noted = (folder: string) =>
    JSON.parse(readFileSync(join(folder, NOTED), 'utf8')) as {
      env: Record<string, string>;
      pid: number;
      cwd: string;
    };

  it('gets only the marks of its turn as environment, and ends with the turn', async () => {
    await inFolder(async (folder) => {
      const spec = makeSpec(folder, { prompt: step('Glob', { pattern: 'x' }) + bash('true') });
      const env = { ...spec.env, SVC_RUN_ID: 'r', SECRET: 's' };
      const user = { ...sameUser, fileHelper: noting(folder) };
      const { end } = await runTurn(makeRuntime({}, { user }), { ...spec, env });
      expect(end.outcome).toBe('succeeded');
      const { env: its, cwd, pid } = noted(folder);
      expect(its).toEqual({ LANG: 'C.UTF-8', SVC_TURN_ID: spec.turnId, SVC_RUN_ID: 'r' });
      expect(cwd).toBe('/');
      expect(isRunning(pid)).toBe(false);
    });
  });

  it('is not started for a turn without file operations', async () => {
    await inFolder(async (folder) => {
      await play(folder, bash('true'), noting(folder));
      expect(existsSync(join(folder, NOTED))).toBe(false);
    });
  });

  it('is replaced when an agent kills it', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a.txt'), 'a');
      const kill = bash(
        `pid=$(grep -o '"pid":[0-9]*' ${NOTED} | cut -d: -f2); kill -9 $pid; while kill -0 $pid; do sleep 0.01; done 2> /dev/null`,
      );
      const look = step('Read', { file_path: 'a.txt' });
      const { results } = await play(folder, look + kill + look, noting(folder));
      expect([results[0], results[2]]).toEqual(['a', 'a']);
    });
  });

  it.each([
    [
      'ends',
      'process.stderr.write("No such luck.\\nMore.\\n"); process.exitCode = 3;',
      ' (No such luck.)',
    ],
    [
      'sends invalid frames',
      'import("node:fs").then((fs) => fs.writeSync(3, "x".repeat(100))); setTimeout(() => {}, 60_000);',
      '',
    ],
    [
      'answers without a request',
      `import("node:fs").then((fs) => {
        const head = Buffer.from('{"id":77,"ok":true}');
        const lengths = Buffer.alloc(8);
        lengths.writeUInt32BE(head.length, 0);
        fs.writeSync(3, Buffer.concat([lengths, head]));
      }); setTimeout(() => {}, 60_000);`,
      '',
    ],
  ])('fails the call with a message if it %s', async (_, program, why) => {
    await inFolder(async (folder) => {
      const { end } = await play(folder, step('Read', { file_path: 'a.txt' }), program);
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: `Step 1 (Read) failed: The file helper process of the user tester has ended${why}.`,
      });
    });
  });

  it('fails the call with a message if it cannot be started', async () => {
    await inFolder(async (folder) => {
      const user = { ...sameUser, prefix: ['/nowhere/setpriv'] as const };
      const spec = makeSpec(folder, { prompt: step('Read', { file_path: 'a.txt' }) });
      const { end } = await runTurn(makeRuntime({}, { user }), spec);
      expect(end.reason).toMatch(/^Step 1 \(Read\) failed: .* has ended \(.*spawn .*ENOENT\)\.$/);
    });
  });

  it('is ended when its turn is stopped, even if it never answers', async () => {
    await inFolder(async (folder) => {
      const stop = new AbortController();
      const file = JSON.stringify(join(folder, 'pid'));
      const fileHelper = `import fs from 'node:fs'; fs.writeFileSync(${file}, String(process.pid)); setInterval(() => {}, 1000);`;
      const turn = runTurn(
        makeRuntime({}, { user: { ...sameUser, fileHelper } }),
        makeSpec(folder, { prompt: step('Read', { file_path: 'a.txt' }) }),
        stop.signal,
      );
      const pid = async () => Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''));
      await until(async () => (await pid()) > 0);
      stop.abort(new TurnStop('cancelled', 'Cancelled.'));
      expect((await turn).end.outcome).toBe('cancelled');
      expect(isRunning(await pid())).toBe(false);
    });
  });
});

describe('a project folder that the agent user cannot enter', () => {
  it('fails Bash and file tools with a message', async () => {
    await inFolder(async (folder) => {
      const gone = bash('rm -r "$PWD"');
      await mkdir(join(folder, 'p'));
      const { end } = await play(join(folder, 'p'), gone + bash('echo on'));
      expect(end.reason).toBe(
        'Step 2 (Bash) failed: exit code 126: The user tester (agents.user) cannot enter the project folder. Give it read, write and execute permission there, and execute permission on the parent folders.',
      );
      await mkdir(join(folder, 'p'));
      const files = await play(join(folder, 'p'), gone + step('Glob', { pattern: '*' }));
      expect(files.end.reason).toBe('Step 2 (Glob) failed: The project folder is gone.');
      await rm(join(folder, 'p'), { recursive: true, force: true });
      expect((await play(join(folder, 'p'), gone)).end.reason).toBe(
        'The project folder does not exist.',
      );
    });
  });
});
