import { execFile } from 'node:child_process';
import {
  chownSync,
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createSystemClock, silentLogger, success } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import {
  createLastGoodVersions,
  createProjects,
  createSharedLastGoodVersions,
  SLUG_RULE,
} from '@svc/projects';
import { adds, linesOf, lockMark, PROJECT, withFolder } from './harness.ts';

const NEVER_HELD = { isHeld: async () => false, setHeld: async () => {} };

describe('reading projects', () => {
  it('identifies a project by its file, and reads the file as it is now', () =>
    withFolder(async ({ projects, write, root }) => {
      mkdirSync(join(root, 'empty'));
      write('.hidden/project.yaml', PROJECT);
      expect(await projects.list()).toEqual(['demo']);
      expect((await projects.snapshot('demo'))?.file?.settings.name).toBe('Demo');
      write('demo/project.yaml', PROJECT.replace('Demo', 'Other'));
      expect((await projects.snapshot('demo'))?.file?.settings.name).toBe('Other');
      rmSync(join(root, 'demo'), { recursive: true });
      expect(await projects.snapshot('demo')).toBeNull();
    }));

  it.each([
    '..',
    '.',
    '',
    'a/b',
    '../demo',
    'demo/',
    'demo\0',
    '.locks',
    'x'.repeat(300),
    'missing',
  ])('finds nothing under %j', (slug) =>
    withFolder(async ({ projects }) => {
      expect(await projects.snapshot(slug)).toBeNull();
      expect(await projects.edit(slug, adds('x'))).toMatchObject({ error: { code: 'not_found' } });
      expect((await projects.readPrompt(slug, 'trigger', 'a.md')).ok).toBe(false);
    }),
  );

  it('keeps the last good version while the file does not parse, and reports the position of the error', () =>
    withFolder(async ({ projects, write }) => {
      await projects.snapshot('demo');
      write('demo/project.yaml', `${PROJECT}  broken: [`);
      const snapshot = await projects.snapshot('demo');
      expect(snapshot?.file?.triggers.has('nightly')).toBe(true);
      expect(snapshot?.faults[0]).toMatchObject({ line: expect.any(Number) });
      expect(await projects.edit('demo', adds('x'))).toMatchObject({
        error: { code: 'conflict' },
      });
      write('demo/project.yaml', PROJECT);
      expect((await projects.snapshot('demo'))?.faults).toEqual([]);
    }));

  it('loads the last good version of an earlier process', () =>
    withFolder(async ({ root, write }) => {
      const saved = new Map<string, string>();
      const lastGood = {
        load: async (slug: string) => saved.get(slug) ?? null,
        save: async (slug: string, text: string) => void saved.set(slug, text),
        forget: async (slug: string) => void saved.delete(slug),
        ...NEVER_HELD,
      };
      const open = () =>
        createProjects(
          { clock: createSystemClock(), logger: silentLogger },
          { root, validation: {}, lastGood },
        );
      await open().snapshot('demo');
      write('demo/project.yaml', `${PROJECT}x: [`);
      const snapshot = await open().snapshot('demo');
      expect(snapshot?.file?.triggers.has('nightly')).toBe(true);
      expect(snapshot?.faults).toHaveLength(1);
    }));

  it('uses the last good version that another process has saved', () =>
    withFolder(async ({ root, write }) => {
      const saved = new Map<string, string>();
      const lastGood = {
        isShared: true,
        load: async (slug: string) => saved.get(slug) ?? null,
        save: async (slug: string, text: string) => void saved.set(slug, text),
        forget: async (slug: string) => void saved.delete(slug),
        ...NEVER_HELD,
      };
      const open = () =>
        createProjects(
          { clock: createSystemClock(), logger: silentLogger },
          { root, validation: {}, lastGood },
        );
      const [one, other] = [open(), open()];
      const names = async (): Promise<unknown> => [
        ...((await other.snapshot('demo'))?.file?.triggers.keys() ?? []),
      ];
      expect(await names()).toEqual(['nightly']);
      for (const name of ['first', 'second']) {
        write('demo/project.yaml', PROJECT.replace('nightly', name));
        await one.snapshot('demo');
        write('demo/project.yaml', `${PROJECT}x: [`);
        expect(await names()).toEqual([name]);
        const before = await other.snapshot('demo');
        expect((await other.snapshot('demo'))?.file).toBe(before?.file);
      }
    }));

  it('saves the newest of several good versions, one after the other', () =>
    withFolder(async ({ root, read }) => {
      const logger = createMemoryLogger();
      let saved = '';
      let busy = 0;
      let most = 0;
      const lastGood = {
        load: async () => null,
        async save(_slug: string, text: string) {
          busy += 1;
          most = Math.max(most, busy);
          // Until the edit has written its version, which is saved as well.
          for (
            let tries = 0;
            tries < 1000 && !read('demo/project.yaml').includes('ours');
            tries += 1
          )
            await new Promise((resolve) => setTimeout(resolve, 10));
          await new Promise((resolve) => setTimeout(resolve, busy === 1 ? 50 : 0));
          saved = text;
          busy -= 1;
        },
        forget: async () => {},
        ...NEVER_HELD,
      };
      const deps = { clock: createSystemClock(), logger };
      const projects = createProjects(deps, { root, validation: {}, lastGood });
      await Promise.all([projects.snapshot('demo'), projects.edit('demo', adds('ours'))]);
      expect([most, saved, logger.lines]).toEqual([1, read('demo/project.yaml'), []]);
    }));

  it('puts a text that an agent may have written in effect only after it was confirmed', () =>
    withFolder(async ({ root, write }) => {
      let trusted = PROJECT;
      const guard = {
        replace: <T>(_file: string, work: () => Promise<T>) => work(),
        isTrusted: async (_file: string, content: Buffer) => content.toString() === trusted,
        confirm: async (_file: string, content: Buffer) => {
          trusted = content.toString();
        },
      };
      const lastGood = createLastGoodVersions(join(root, '.good'));
      // Long after the last change of the file, which is then not read again.
      const clock = { ...createSystemClock(), now: () => Date.now() + 60_000 };
      const open = () =>
        createProjects({ clock, logger: silentLogger }, { root, validation: {}, lastGood, guard });
      const first = open();
      await first.snapshot('demo');
      expect(await first.confirm('demo', () => true)).toMatchObject({
        error: { code: 'conflict' },
      });
      const changed = PROJECT.replace('nightly', 'evil');
      write('demo/project.yaml', changed);
      expect(await first.edit('demo', adds('x'))).toMatchObject({
        error: { code: 'conflict', message: 'project.yaml must be confirmed first. See issues.' },
      });
      // Also after a restart, and with a trusted change on top.
      trusted = `${changed}# changed again\n`;
      write('demo/project.yaml', trusted);
      const later = open();
      const names = async (): Promise<unknown> => {
        const snapshot = await later.snapshot('demo');
        return [snapshot?.isUnconfirmed, ...(snapshot?.file?.triggers.keys() ?? [])];
      };
      expect(await names()).toEqual([true, 'nightly']);
      const [inEffect, current] = [PROJECT, trusted];
      const shown = { confirmed: false, inEffect, current };
      expect(await later.confirm('demo', () => false)).toEqual(success(shown));
      expect(await names()).toEqual([true, 'nightly']);
      const confirmed = await later.confirm('demo', (text) => text === current);
      expect(confirmed).toEqual(success({ ...shown, confirmed: true }));
      expect(await names()).toEqual([false, 'evil']);
      expect(await later.edit('demo', adds('x'))).toMatchObject({ ok: true });
    }));

  it('does not take a file that is removed and created again at once for a removed project', () =>
    withFolder(async ({ projects, root, write }) => {
      await projects.snapshot('demo');
      rmSync(join(root, 'demo/project.yaml'));
      const reading = projects.snapshot('demo');
      await new Promise((resolve) => setTimeout(resolve, 200));
      write('demo/project.yaml', `${PROJECT}  broken: [`);
      expect((await reading)?.file?.triggers.has('nightly')).toBe(true);
    }));

  it('puts an edit of another process in effect that shares the database', () =>
    withFolder(async ({ root, write }) => {
      const saved = new Map<string, string>();
      const lastGood = () =>
        createSharedLastGoodVersions(
          {
            load: async (slug) => saved.get(slug) ?? null,
            save: async (slug, text) => void saved.set(slug, text),
            forget: async (slug) => void saved.delete(slug),
          },
          createLastGoodVersions(join(root, '.good')),
        );
      const guard = {
        replace: <T>(_file: string, work: () => Promise<T>) => work(),
        isTrusted: async () => saved.size === 0,
        confirm: async () => {},
      };
      const deps = { clock: createSystemClock(), logger: silentLogger };
      const open = () =>
        createProjects(deps, { root, validation: {}, lastGood: lastGood(), guard });
      const [one, other] = [open(), open()];
      const stateOf = async (projects: typeof one): Promise<unknown> => {
        const snapshot = await projects.snapshot('demo');
        return [snapshot?.isUnconfirmed, snapshot?.file?.triggers.size];
      };
      expect(await stateOf(one)).toEqual([false, 1]);
      expect(await other.edit('demo', adds('x'))).toMatchObject({ ok: true });
      expect(await stateOf(one)).toEqual([false, 2]);
      write('demo/project.yaml', PROJECT.replace('nightly', 'evil'));
      expect(await stateOf(one)).toEqual([true, 2]);
      expect(await stateOf(other)).toEqual([true, 2]);
      await one.confirm('demo', () => true);
      expect(await stateOf(other)).toEqual([false, 1]);
    }));

  it('puts a file in effect again that was restored instead of confirmed', () =>
    withFolder(async ({ root, write }) => {
      const guard = {
        replace: <T>(_file: string, work: () => Promise<T>) => work(),
        isTrusted: async (_file: string, content: Buffer) => !content.toString().includes('evil'),
        confirm: async () => {},
      };
      const projects = createProjects(
        { clock: createSystemClock(), logger: silentLogger },
        { root, validation: {}, guard },
      );
      const state = async () => (await projects.snapshot('demo'))?.isUnconfirmed;
      await state();
      write('demo/project.yaml', PROJECT.replace('nightly', 'evil'));
      expect(await state()).toBe(true);
      write('demo/project.yaml', PROJECT);
      expect(await state()).toBe(false);
      write('demo/project.yaml', PROJECT.replace('nightly', 'later'));
      expect(await state()).toBe(false);
    }));

  it('forgets the last good version with its project', () =>
    withFolder(async ({ root, write, projects }) => {
      await projects.snapshot('demo');
      rmSync(join(root, 'demo'), { recursive: true });
      expect(await projects.snapshot('demo')).toBeNull();
      write('demo/project.yaml', 'triggers: [');
      expect((await projects.snapshot('demo'))?.file).toBeNull();
    }));

  it('does not read a file again that has not changed for a while, and notices any change at once', () =>
    withFolder(async ({ root, write, projects }) => {
      const file = join(root, 'demo/project.yaml');
      const long = new Date(Date.now() - 60_000);
      utimesSync(file, long, long);
      const clock = { ...createSystemClock(), now: () => Date.now() + 60_000 };
      const patient = createProjects({ clock, logger: silentLogger }, { root, validation: {} });
      const first = await patient.snapshot('demo');
      expect(await patient.snapshot('demo')).toBe(first);
      write('demo/project.yaml', PROJECT.replace('Demo', 'Oemd'));
      utimesSync(file, long, long);
      expect((await patient.snapshot('demo'))?.file?.settings.name).toBe('Oemd');
      expect((await projects.snapshot('demo'))?.file?.settings.name).toBe('Oemd');
    }));

  it('does not take a save in progress for an empty project', () =>
    withFolder(async ({ root, write, projects }) => {
      await projects.snapshot('demo');
      truncateSync(join(root, 'demo/project.yaml'));
      const reading = projects.snapshot('demo');
      const editing = projects.edit('demo', adds('ours'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      write('demo/project.yaml', PROJECT);
      expect((await reading)?.file?.triggers.has('nightly')).toBe(true);
      expect(await editing).toMatchObject({ ok: true, value: { text: PROJECT + linesOf('ours') } });
      truncateSync(join(root, 'demo/project.yaml'));
      expect((await projects.snapshot('demo'))?.file?.triggers.size).toBe(0);
    }));

  it('distinguishes a link to another project from a separate project', () =>
    withFolder(async ({ root, write, projects }) => {
      write('../outside/project.yaml', PROJECT);
      write('demo/sub/project.yaml', PROJECT);
      symlinkSync('demo', join(root, 'alias'));
      symlinkSync('alias', join(root, 'twice'));
      symlinkSync('../outside', join(root, 'away'));
      symlinkSync('demo/sub', join(root, 'deep'));
      symlinkSync('../outside', join(root, 'too'));
      const names = async (slug: string) => (await projects.snapshot(slug))?.names;
      const slugs = ['demo', 'alias', 'twice', 'away', 'deep'];
      expect(await Promise.all(slugs.map(names))).toEqual([
        ['demo'],
        ['alias', 'demo', 'twice'],
        ['twice', 'alias', 'demo'],
        ['away', 'too'],
        ['deep', 'alias', 'demo', 'twice'],
      ]);
    }));

  it('notices that a project has become a link although its file has not changed', () =>
    withFolder(async ({ root }) => {
      const clock = { ...createSystemClock(), now: () => Date.now() + 60_000 };
      const patient = createProjects({ clock, logger: silentLogger }, { root, validation: {} });
      expect((await patient.snapshot('demo'))?.names).toEqual(['demo']);
      renameSync(join(root, 'demo'), join(root, 'secret'));
      symlinkSync('secret', join(root, 'demo'));
      expect((await patient.snapshot('demo'))?.names).toEqual(['demo', 'secret']);
    }));

  it('finds a project by its exact name only', () =>
    withFolder(async ({ root, projects }) => {
      try {
        // Simulates a case-insensitive file system, where this link cannot be created.
        symlinkSync('demo', join(root, 'DEMO'));
      } catch (error) {
        expect(error).toMatchObject({ code: 'EEXIST' });
      }
      expect(await projects.snapshot('DEMO')).toBeNull();
      expect(await projects.edit('DEMO', adds('x'))).toMatchObject({
        error: { code: 'not_found' },
      });
      expect((await projects.readPrompt('DEMO', 'trigger', 'a.md')).ok).toBe(false);
      expect(await projects.list()).toEqual(['demo']);
    }));

  it('reports a missing projects folder, and does not treat projects as deleted', () =>
    withFolder(async ({ root, projects }) => {
      await projects.snapshot('demo');
      renameSync(root, `${root}.away`);
      const gone = { code: 'unavailable', message: expect.stringContaining('Restore it') };
      const calls = [
        () => projects.list(),
        () => projects.ping(),
        () => projects.snapshot('demo'),
        () => projects.edit('demo', adds('x')),
        () => projects.create('fresh', 'name: Fresh\n'),
        () => projects.clone('fresh', 'https://example.invalid/x.git', null, {}),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject(gone);
      await projects.sweep();
      renameSync(`${root}.away`, root);
      await projects.ping();
      expect((await projects.snapshot('demo'))?.file?.triggers.size).toBe(1);
    }));

  it('has no version of a file that was broken from the start', () =>
    withFolder(async ({ projects, write }) => {
      write('demo/project.yaml', 'triggers: [');
      expect((await projects.snapshot('demo'))?.file).toBeNull();
    }));

  it('refuses a file that is a link, a folder, not UTF-8, or too large', () =>
    withFolder(async ({ projects, write, root }) => {
      write('../outside.yaml', PROJECT);
      write('bytes/project.yaml', Uint8Array.from([0xff, 0xfe, 0x00]));
      write('big/project.yaml', `# ${'x'.repeat(1024 * 1024)}`);
      mkdirSync(join(root, 'folder/project.yaml'), { recursive: true });
      mkdirSync(join(root, 'link'));
      symlinkSync('../../outside.yaml', join(root, 'link/project.yaml'));
      write('near/other.yaml', PROJECT);
      symlinkSync('other.yaml', join(root, 'near/project.yaml'));
      for (const [slug, word] of [
        ['link', 'is a link'],
        ['near', 'is a link'],
        ['bytes', 'UTF-8'],
        ['big', 'bytes'],
        ['folder', 'regular file'],
      ] as const) {
        const snapshot = await projects.snapshot(slug);
        expect([slug, snapshot?.file, snapshot?.faults[0]?.message]).toEqual([
          slug,
          null,
          expect.stringContaining(word),
        ]);
      }
    }));
});

describe('prompt files', () => {
  // proves: run.prompt-file.fresh, schedules.prompt-file
  it('are read again each time', () =>
    withFolder(async ({ projects, write }) => {
      write('demo/.svc/triggers/sub/a.md', 'one');
      const read = () => projects.readPrompt('demo', 'trigger', 'sub/a.md');
      expect(await read()).toEqual(success('one'));
      write('demo/.svc/triggers/sub/a.md', 'two');
      expect(await read()).toEqual(success('two'));
      expect((await projects.readPrompt('demo', 'schedule', 'sub/a.md')).ok).toBe(false);
    }));

  it('lose their byte order mark', () =>
    withFolder(async ({ projects, write }) => {
      write('demo/.svc/triggers/a.md', '\uFEFF```bash\ntrue\n```\n');
      const read = await projects.readPrompt('demo', 'trigger', 'a.md');
      expect(read).toEqual(success('```bash\ntrue\n```\n'));
    }));

  it('are not reported as missing if too many files are open', () =>
    withFolder(async ({ write, root }) => {
      write('demo/.svc/triggers/a.md', 'one');
      const child = new URL('few-files-child.mjs', import.meta.url).pathname;
      const run = promisify(execFile);
      const { stdout } = await run('sh', [
        ...['-c', 'ulimit -n 100 && exec "$@"', 'sh'],
        ...[process.execPath, child, root],
      ]);
      const [before, after] = JSON.parse(stdout);
      expect(before).toEqual(success('one'));
      expect(after).toMatch(/^unavailable: Too many open files/);
    }));

  // proves: run.prompt-file.name
  it.each([
    ['../../project.md', 'must be named as'],
    ['/etc/hosts.md', 'must be named as'],
    ['a/../../b.md', 'must be named as'],
    ['a\\b.md', 'must be named as'],
    ['a\0.md', 'must be named as'],
    ['a.txt', 'must be named as'],
    ['missing.md', 'does not exist'],
    ['blank.md', 'is empty'],
    ['big.md', 'the limit is 262144'],
    ['link.md', 'link'],
    ['folder.md', 'regular file'],
    ['way/secret.md', 'out of its folder'],
  ])('%j: %s', (file, word) =>
    withFolder(async ({ projects, write, root }) => {
      const folder = 'demo/.svc/triggers';
      write(`${folder}/blank.md`, ' \n\t\n');
      write(`${folder}/big.md`, 'x'.repeat(256 * 1024 + 1));
      write('../secret.md', 'secret');
      symlinkSync('../../../../secret.md', join(root, folder, 'link.md'));
      symlinkSync('../../../..', join(root, folder, 'way'));
      mkdirSync(join(root, folder, 'folder.md'));
      const read = await projects.readPrompt('demo', 'trigger', file);
      expect(read).toMatchObject({
        ok: false,
        issues: [{ path: '', message: expect.stringContaining(word) }],
      });
    }),
  );
});

describe('editing', () => {
  it('changes the file at once and keeps its mode', () =>
    withFolder(async ({ projects, read, root }) => {
      const file = join(root, 'demo/project.yaml');
      const { mode } = statSync(file);
      const edited = await projects.edit('demo', adds('new'));
      expect(edited.ok).toBe(true);
      expect(read('demo/project.yaml')).toBe(PROJECT + linesOf('new'));
      expect(statSync(file).mode).toBe(mode);
      expect(readdirSync(join(root, 'demo'))).toEqual(['project.yaml']);
      expect(readdirSync(join(root, '.locks'))).toEqual([]);
    }));

  it('keeps the owner of the file, as far as its user may give it away', () =>
    withFolder(async ({ projects, root }) => {
      const file = join(root, 'demo/project.yaml');
      const isRoot = process.getuid?.() === 0;
      const gid = isRoot ? 1234 : (process.getgroups?.().at(-1) ?? 0);
      chownSync(file, isRoot ? 1234 : statSync(file).uid, gid);
      const { uid } = statSync(file);
      expect((await projects.edit('demo', adds('x'))).ok).toBe(true);
      expect(statSync(file)).toMatchObject({ uid, gid });
    }));

  it('loses none of 40 concurrent edits', () =>
    withFolder(async ({ projects, read }) => {
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      const add = (n: number) => projects.edit('demo', adds(`edit${n}`));
      const edits = await Promise.all(numbers.map(add));
      expect(edits.every((edit) => edit.ok)).toBe(true);
      const lines = read('demo/project.yaml').split('\n');
      expect(numbers.every((n) => lines.includes(`  edit${n}:`))).toBe(true);
    }));

  it('starts over if another program saves in between, and keeps its text', () =>
    withFolder(async ({ projects, write, read }) => {
      let calls = 0;
      const edited = await projects.edit('demo', (file) => {
        calls += 1;
        if (calls === 1) write('demo/project.yaml', PROJECT + linesOf('theirs'));
        const decision = adds('ours')(file);
        return decision.ok ? success({ ...decision.value, value: calls }) : decision;
      });
      expect(edited).toMatchObject({ ok: true, value: { value: 2 } });
      expect(read('demo/project.yaml')).toBe(PROJECT + linesOf('theirs') + linesOf('ours'));
    }));

  it('takes over the lock of a dead process and waits for that of a living one', () =>
    withFolder(async ({ projects, root, read }) => {
      mkdirSync(join(root, '.locks'));
      writeFileSync(join(root, '.locks/demo.lock'), lockMark({ pid: 999_999_999 }));
      const edited = await projects.edit('demo', adds('mine'));
      expect(edited.ok).toBe(true);
      writeFileSync(join(root, '.locks/demo.lock'), lockMark({ pid: process.ppid }));
      const waiting = projects.edit('demo', adds('later'));
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(read('demo/project.yaml')).not.toContain('later');
      rmSync(join(root, '.locks/demo.lock'));
      expect((await waiting).ok).toBe(true);
    }));

  it('replaces leftovers of a crash, also if they are a link', () =>
    withFolder(async ({ projects, root, write, read }) => {
      write('../victim', 'safe');
      symlinkSync('../../victim', join(root, 'demo/.project.yaml.svc-new'));
      await projects.edit('demo', adds('x'));
      expect(read('../victim')).toBe('safe');
      expect(read('demo/project.yaml')).toBe(PROJECT + linesOf('x'));
    }));

  it('sweeps leftovers of an edit, unless the edit is in progress', () =>
    withFolder(async ({ projects, root, write }) => {
      const left = '.project.yaml.svc-new';
      write(`demo/${left}`, 'half');
      write('demo/.project.yaml.svc-new.mine', 'kept');
      write(`busy/${left}`, 'being written');
      write('busy/project.yaml', PROJECT);
      write('.locks/busy.lock', lockMark({ pid: process.ppid }));
      write('.locks/demo.lock', lockMark({ pid: 999_999_999 }));
      await projects.sweep();
      expect(readdirSync(join(root, 'demo')).sort()).toEqual([
        '.project.yaml.svc-new.mine',
        'project.yaml',
      ]);
      expect(readdirSync(join(root, 'busy'))).toContain(left);
      expect(readdirSync(join(root, '.locks'))).toEqual(['busy.lock']);
    }));

  it('creates a project once', () =>
    withFolder(async ({ projects, read }) => {
      const made = await Promise.all(
        [1, 2, 3].map(() => projects.create('fresh', 'name: Fresh\n')),
      );
      expect(made.filter(Boolean)).toHaveLength(1);
      expect(read('fresh/project.yaml')).toBe('name: Fresh\n');
      expect(await projects.create('demo', 'name: x\n')).toBe(false);
      expect(read('demo/project.yaml')).toBe(PROJECT);
    }));
});

describe('a file that changes while it is used', () => {
  const MEBIBYTE = 1024 * 1024;

  it('is never read beyond 1 MiB, however it grows', () =>
    withFolder(async ({ projects, root }) => {
      const descriptor = openSync(join(root, 'demo/project.yaml'), 'r+');
      const large = Buffer.alloc(2 * MEBIBYTE, '#');
      let flips = 0;
      let flipping = true;
      const flip = (): void => {
        if (!flipping) return;
        flips += 1;
        if (flips % 2 === 0) ftruncateSync(descriptor, 100);
        else writeSync(descriptor, large, 0, large.length, 0);
        setImmediate(flip);
      };
      flip();
      for (let n = 0; n < 150; n += 1) {
        const snapshot = await projects.snapshot('demo');
        expect(snapshot?.text?.length ?? 0).toBeLessThanOrEqual(MEBIBYTE);
      }
      flipping = false;
      closeSync(descriptor);
      expect(flips).toBeGreaterThan(150);
    }));

  it('is not read to its end to see that it has changed', () =>
    withFolder(async ({ projects, root }) => {
      const before = process.resourceUsage().maxRSS;
      const edited = await projects.edit('demo', (file) => {
        truncateSync(join(root, 'demo/project.yaml'), 1024 * MEBIBYTE);
        return adds('late')(file);
      });
      expect(edited).toMatchObject({ ok: false, error: { code: 'conflict' } });
      // Kibibytes.
      expect(process.resourceUsage().maxRSS - before).toBeLessThan(512 * 1024);
    }));
});

describe('watching', () => {
  const until = async (test: () => boolean): Promise<void> => {
    for (let n = 0; n < 2000 && !test(); n += 1) await new Promise((r) => setTimeout(r, 10));
  };

  it('reports a project whose file is edited, replaced, added or removed, and no other', () =>
    withFolder(async ({ projects, write, root }) => {
      const seen: string[] = [];
      const stop = await projects.watch((slug) => void seen.push(slug));
      const waitFor = async (slug: string, change: () => unknown): Promise<void> => {
        seen.length = 0;
        await change();
        await until(() => seen.includes(slug));
        expect(seen).toContain(slug);
      };
      await waitFor('demo', () => write('demo/project.yaml', `${PROJECT}# x\n`));
      await waitFor('demo', () => projects.edit('demo', adds('y')));
      await waitFor('fresh', () => write('fresh/project.yaml', PROJECT));
      await waitFor('fresh', () => write('fresh/project.yaml', `${PROJECT}# z\n`));
      await waitFor('fresh', () => rmSync(join(root, 'fresh'), { recursive: true }));
      seen.length = 0;
      write('demo/notes.txt', 'x');
      write('demo/src/project.yaml', 'x');
      await new Promise((resolve) => setTimeout(resolve, 200));
      await stop();
      expect(seen).toEqual([]);
    }));

  it('logs folders with invalid project names, each once', () =>
    withFolder(async ({ root, write }) => {
      const reported: unknown[] = [];
      const logger = { ...silentLogger, warn: (fields: object) => void reported.push(fields) };
      write('demo/project.yaml', PROJECT);
      write('My Project/project.yaml', PROJECT);
      write('lost+found/notes.txt', 'x');
      write('.hidden/project.yaml', PROJECT);
      const options = { root, validation: {} };
      const projects = createProjects({ clock: createSystemClock(), logger }, options);
      const stop = await projects.watch(() => {});
      expect(reported).toEqual([{ folder: 'My Project', rule: SLUG_RULE }]);
      mkdirSync(join(root, 'another one'));
      await until(() => reported.length > 1);
      write('another one/project.yaml', PROJECT);
      await stop();
      await projects.close();
      expect(reported.slice(1)).toEqual([{ folder: 'another one', rule: SLUG_RULE }]);
    }));

  it('reports every project after the projects folder was replaced, and watches the new one', () =>
    withFolder(async ({ projects, write, root }) => {
      const seen: string[] = [];
      const stop = await projects.watch((slug) => void seen.push(slug));
      cpSync(root, `${root}.new`, { recursive: true });
      renameSync(root, `${root}.old`);
      renameSync(`${root}.new`, root);
      rmSync(`${root}.old`, { recursive: true });
      await until(() => seen.includes('demo'));
      expect(seen).toContain('demo');
      for (const slug of ['demo', 'fresh']) {
        seen.length = 0;
        write(`${slug}/project.yaml`, `${PROJECT}# x\n`);
        await until(() => seen.includes(slug));
        expect(seen).toContain(slug);
      }
      await stop();
    }));

  it('pauses a folder with a flood of notifications for half a second, and loses nothing', () =>
    withFolder(async ({ root }) => {
      const clock = createFakeClock();
      const projects = createProjects({ clock, logger: silentLogger }, { root, validation: {} });
      const file = join(root, 'demo/project.yaml');
      let seen = 0;
      const stop = await projects.watch(() => {
        seen += 1;
      });
      for (let n = 0; n < 1100; n += 1) {
        utimesSync(file, n, n);
        writeFileSync(file, PROJECT);
      }
      await until(() => seen === 2000);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(seen).toBe(2000);
      await clock.advance(500);
      await until(() => seen > 2000);
      expect(seen).toBe(2001);
      utimesSync(file, 1, 1);
      await until(() => seen > 2001);
      expect(seen).toBeGreaterThan(2001);
      await stop();
    }));
});
