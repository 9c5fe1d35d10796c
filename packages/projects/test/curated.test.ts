import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { success } from '@svc/core';
import { type Folder, lockMark, withFolder } from './harness.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const overview = (text: string, ifHash: string | null = null) =>
  ({ file: 'OVERVIEW.md', text, ifHash }) as const;
const changelog = (text: string, ifHash: string | null = null) =>
  ({ file: 'CHANGELOG.md', text, ifHash }) as const;
const own = (root: string): string => join(root, 'demo/.svc');

describe('curated files', () => {
  it('are read with their hash', () =>
    withFolder(async ({ projects, write }) => {
      expect(await projects.curated.read('demo')).toEqual({
        'OVERVIEW.md': null,
        'CHANGELOG.md': null,
      });
      write('demo/.svc/OVERVIEW.md', '# Ü\n');
      expect(await projects.curated.read('demo')).toEqual({
        'OVERVIEW.md': success({ text: '# Ü\n', sha256: hash('# Ü\n') }),
        'CHANGELOG.md': null,
      });
      expect(await projects.curated.read('nope')).toBeNull();
    }));

  it('are read up to 256 KiB, with a mark, and never cut inside a character', () =>
    withFolder(async ({ projects, write }) => {
      const long = `a${'ü'.repeat(160 * 1024)}`;
      write('demo/.svc/OVERVIEW.md', long);
      const read = (await projects.curated.read('demo'))?.['OVERVIEW.md'];
      const kept = 256 * 1024 - 1;
      expect(read).toEqual(
        success({
          text: `${Buffer.from(long).subarray(0, kept)}\n[Cut: the first ${kept} of ${Buffer.byteLength(long)} bytes are shown.]`,
          sha256: hash(long),
        }),
      );
      const done = await projects.curated.write('demo', [overview('short', hash(long))]);
      expect(done).toMatchObject({
        ok: false,
        error: expect.stringContaining('the limit is 262144'),
      });
    }));

  // proves: curator.files.written
  it('are created with their folder, and replaced if they are unchanged since they were read', () =>
    withFolder(async ({ projects, read, root }) => {
      const made = await projects.curated.write('demo', [overview('one\n'), changelog('x\n')]);
      expect(made).toEqual(
        success([
          { file: 'OVERVIEW.md', before: null, after: 'one\n' },
          { file: 'CHANGELOG.md', before: null, after: 'x\n' },
        ]),
      );
      chmodSync(join(own(root), 'OVERVIEW.md'), 0o600);
      const changed = await projects.curated.write('demo', [overview('two\n', hash('one\n'))]);
      expect(changed).toEqual(success([{ file: 'OVERVIEW.md', before: 'one\n', after: 'two\n' }]));
      expect(read('demo/.svc/OVERVIEW.md')).toBe('two\n');
      expect(statSync(join(own(root), 'OVERVIEW.md')).mode & 0o777).toBe(0o600);
      expect(readdirSync(own(root)).sort()).toEqual(['CHANGELOG.md', 'OVERVIEW.md']);
    }));

  it('are not written if nothing changes', () =>
    withFolder(async ({ projects, write, root }) => {
      write('demo/.svc/OVERVIEW.md', 'same');
      const before = statSync(join(own(root), 'OVERVIEW.md'));
      expect(await projects.curated.write('demo', [overview('same', hash('same'))])).toEqual(
        success([]),
      );
      expect(statSync(join(own(root), 'OVERVIEW.md')).ino).toBe(before.ino);
      expect(await projects.curated.write('demo', [])).toEqual(success([]));
    }));

  // proves: curator.files.edited
  it.each([
    ['changed', (at: Folder) => at.write('demo/.svc/CHANGELOG.md', 'by hand')],
    ['removed', (at: Folder) => rmSync(join(own(at.root), 'CHANGELOG.md'))],
  ])('are all left unchanged if one was %s meanwhile', (word, meddle) =>
    withFolder(async (at) => {
      at.write('demo/.svc/OVERVIEW.md', 'one');
      at.write('demo/.svc/CHANGELOG.md', 'old');
      meddle(at);
      const edits = [overview('two', hash('one')), changelog('new', hash('old'))];
      expect(await at.projects.curated.write('demo', edits)).toEqual({
        ok: false,
        error: `.svc/CHANGELOG.md was ${word} by another program meanwhile and is left unchanged.`,
      });
      expect(at.read('demo/.svc/OVERVIEW.md')).toBe('one');
      expect(readdirSync(own(at.root)).filter((name) => name.startsWith('.'))).toEqual([]);
    }),
  );

  it('are left unchanged if a new one was created by another program', () =>
    withFolder(async ({ projects, write, read }) => {
      write('demo/.svc/OVERVIEW.md', 'mine');
      const done = await projects.curated.write('demo', [overview('theirs')]);
      expect(done).toMatchObject({ error: expect.stringContaining('was made by another program') });
      expect(read('demo/.svc/OVERVIEW.md')).toBe('mine');
    }));

  // proves: curator.files.confined
  it.each([
    [
      'the folder is a link out of the project',
      (root: string) => symlinkSync('../elsewhere', own(root)),
      '.svc must be a folder, not a link. Replace it with a folder.',
    ],
    [
      'the folder is a link within the project',
      (root: string) => {
        mkdirSync(join(root, 'demo/other'));
        symlinkSync('other', own(root));
      },
      '.svc must be a folder, not a link. Replace it with a folder.',
    ],
    [
      'the folder is a file',
      (root: string) => writeFileSync(own(root), ''),
      '.svc must be a folder, not a link. Replace it with a folder.',
    ],
    [
      'the file is a link',
      (root: string) => {
        mkdirSync(own(root));
        symlinkSync('../../elsewhere/OVERVIEW.md', join(own(root), 'OVERVIEW.md'));
      },
      '.svc/OVERVIEW.md is a link. Replace it with a regular file.',
    ],
    [
      'the file is a link to nothing',
      (root: string) => {
        mkdirSync(own(root));
        symlinkSync('nothing', join(own(root), 'OVERVIEW.md'));
      },
      '.svc/OVERVIEW.md is a link. Replace it with a regular file.',
    ],
    [
      'the file is a pipe',
      (root: string) => {
        mkdirSync(own(root));
        execFileSync('sh', ['-c', 'mkfifo "$0"', join(own(root), 'OVERVIEW.md')]);
      },
      '.svc/OVERVIEW.md must be a regular file.',
    ],
    [
      'the file is a folder',
      (root: string) => mkdirSync(join(own(root), 'OVERVIEW.md'), { recursive: true }),
      '.svc/OVERVIEW.md must be a regular file.',
    ],
    [
      'the file is read-only',
      (root: string) => {
        mkdirSync(own(root));
        writeFileSync(join(own(root), 'OVERVIEW.md'), '', { mode: 0o444 });
      },
      '.svc/OVERVIEW.md is read-only.',
    ],
  ])('are neither read nor written if %s', (_, make, fault) =>
    withFolder(async ({ projects, write, read, root }) => {
      write('elsewhere/OVERVIEW.md', 'outside');
      make(root);
      const found = (await projects.curated.read('demo'))?.['OVERVIEW.md'];
      expect(JSON.stringify(found)).not.toContain('outside');
      for (const known of [null, hash('outside'), hash('')]) {
        const edits = [changelog('x'), overview('y', known)];
        expect(await projects.curated.write('demo', edits)).toEqual({ ok: false, error: fault });
      }
      expect(read('elsewhere/OVERVIEW.md')).toBe('outside');
      expect(readdirSync(join(root, 'elsewhere'))).toEqual(['OVERVIEW.md']);
      expect(existsSync(join(own(root), 'CHANGELOG.md'))).toBe(false);
    }),
  );

  it('have at most 128 KiB each', () =>
    withFolder(async ({ projects, root }) => {
      const most = 'ü'.repeat(64 * 1024);
      expect(await projects.curated.write('demo', [overview(`${most}x`), changelog('y')])).toEqual({
        ok: false,
        error: '.svc/OVERVIEW.md would be 131073 bytes; the limit is 131072.',
      });
      expect(existsSync(own(root))).toBe(false);
      expect((await projects.curated.write('demo', [overview(most)])).ok).toBe(true);
    }));

  it('are written despite leftovers of a crash, which the sweep at start removes', () =>
    withFolder(async ({ projects, write, read, root }) => {
      write('demo/.svc/OVERVIEW.md', 'old');
      const left = '.OVERVIEW.md.svc-new';
      write(`demo/.svc/${left}`, 'half');
      write('elsewhere/.CHANGELOG.md.svc-new', 'not ours');
      write('linked/project.yaml', '');
      symlinkSync('../elsewhere', join(root, 'linked/.svc'));
      write('.locks/demo.lock', lockMark({ pid: 999_999_999 }));
      await projects.sweep();
      expect(readdirSync(own(root))).toEqual(['OVERVIEW.md']);
      expect(readdirSync(join(root, 'elsewhere'))).toEqual(['.CHANGELOG.md.svc-new']);
      symlinkSync('../../elsewhere/x', join(own(root), left));
      expect((await projects.curated.write('demo', [overview('new', hash('old'))])).ok).toBe(true);
      expect(read('demo/.svc/OVERVIEW.md')).toBe('new');
      expect(lstatSync(join(own(root), 'OVERVIEW.md')).isFile()).toBe(true);
      expect(existsSync(join(root, 'elsewhere/x'))).toBe(false);
    }));

  it('always contain the old text or the new one', () =>
    withFolder(async ({ projects, read }) => {
      const texts = ['a', 'b'].map((letter) => letter.repeat(120_000));
      await projects.curated.write('demo', [overview(texts[0] as string)]);
      const writing = projects.curated.write('demo', [
        overview(texts[1] as string, hash(texts[0] as string)),
      ]);
      let isDone = false;
      const done = writing.then(() => {
        isDone = true;
      });
      while (!isDone) {
        expect(texts).toContain(read('demo/.svc/OVERVIEW.md'));
        await new Promise(setImmediate);
      }
      await done;
      expect(read('demo/.svc/OVERVIEW.md')).toBe(texts[1]);
    }));
});
