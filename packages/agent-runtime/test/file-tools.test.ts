import { writeFileSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import {
  clock,
  inFolder,
  makeRuntime,
  makeSpec,
  play,
  runTurn,
  step,
  writeBegun,
} from './support.ts';

async function one(folder: string, name: string, input: unknown) {
  const { end, results } = await play(folder, step(name, input));
  return { outcome: end.outcome, reason: end.reason, text: results[0] ?? '' };
}

describe('Read', () => {
  it.each([
    [{}, 'one\ntwo\nthree\n'],
    [{ offset: 2 }, 'two\nthree\n'],
    [{ limit: 1 }, 'one\n'],
    [{ offset: 2, limit: 1 }, 'two\n'],
    [{ offset: '2', limit: ' 1 ' }, 'two\n'],
    [{ offset: null, limit: '' }, 'one\ntwo\nthree\n'],
  ])('returns the requested lines for %j', async (input, text) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a.txt'), 'one\ntwo\nthree\n');
      expect((await one(folder, 'Read', { file_path: 'a.txt', ...input })).text).toBe(text);
    });
  });

  it.each([
    ['a missing file', { file_path: 'none.txt' }, 'There is no file none.txt.'],
    ['a folder', { file_path: 'sub' }, 'sub is a folder.'],
    ['a file under a file', { file_path: 'a.txt/b' }, 'a.txt in a.txt/b is not a folder.'],
    ['a line beyond the end', { file_path: 'a.txt', offset: 9 }, 'a.txt has only 1 line.'],
    ['a binary file', { file_path: 'image.png' }, 'image.png is not UTF-8 text.'],
    ['a Latin-1 file', { file_path: 'latin.txt' }, 'latin.txt is not UTF-8 text.'],
    ['a very large file', { file_path: 'large.txt' }, 'large.txt is larger than 10 MiB.'],
    ['a loop of links', { file_path: 'loop' }, 'loop has too many symbolic links.'],
    ['a path that is too long', { file_path: 'a/'.repeat(3000) }, 'The path is too long.'],
    ['a name that is too long', { file_path: 'x'.repeat(300) }, /the name is too long/],
  ])('fails with a message on %s', async (_, input, text) => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'sub'));
      await writeFile(join(folder, 'a.txt'), 'one');
      await writeFile(join(folder, 'image.png'), Buffer.from([0x89, 0x50, 0, 1]));
      await writeFile(join(folder, 'latin.txt'), Buffer.from([0x61, 0xe4, 0x62]));
      await writeFile(join(folder, 'large.txt'), 'x'.repeat(10 * 1024 * 1024 + 1));
      await symlink('loop', join(folder, 'loop'));
      const result = await one(folder, 'Read', input);
      expect(result.outcome).toBe('failed');
      expect(result.text).toMatch(text);
    });
  });

  it('truncates output beyond 256 KiB between two characters, with a mark', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'long.txt'), `x${'ä'.repeat(200_000)}`);
      const { text, outcome } = await one(folder, 'Read', { file_path: 'long.txt' });
      expect(outcome).toBe('succeeded');
      expect(text.endsWith('ä\n[Cut: the first 262143 of 400001 bytes are shown.]')).toBe(true);
      expect(text).not.toContain('\uFFFD');
      await writeFile(join(folder, 'fits.txt'), 'x'.repeat(262_144));
      expect((await one(folder, 'Read', { file_path: 'fits.txt' })).text).toHaveLength(262_144);
    });
  });

  it('reads a hard link like any file, as documented in the README', async () => {
    await inFolder(async (folder) => {
      const outside = await mkdtemp(join(tmpdir(), 'svc-hard-'));
      await writeFile(join(outside, 'a'), 'shared');
      await link(join(outside, 'a'), join(folder, 'a'));
      expect((await one(folder, 'Read', { file_path: 'a' })).text).toBe('shared');
      await one(folder, 'Write', { file_path: 'a', content: 'new' });
      expect(await readFile(join(outside, 'a'), 'utf8')).toBe('shared');
      await rm(outside, { recursive: true });
    });
  });
});

describe('Write', () => {
  it('creates missing folders, and reports what it did', async () => {
    await inFolder(async (folder) => {
      const input = { file_path: 'a/b/c.txt', content: 'x' };
      expect((await one(folder, 'Write', input)).text).toBe('Created a/b/c.txt (1 byte).');
      expect((await one(folder, 'Write', input)).text).toBe('Replaced a/b/c.txt (1 byte).');
      expect(await readdir(join(folder, 'a/b'))).toEqual(['c.txt']);
    });
  });

  it.each([
    ['a small file with a small one', 3, 3],
    ['a small file with a large one', 3, 200_000],
    ['a large file with a small one', 200_000, 3],
    ['a small file with nothing', 3, 0],
  ])('replaces %s as another file of the same mode', async (_, before, after) => {
    await inFolder(async (folder) => {
      const [file, content] = [join(folder, 'run.sh'), 'n'.repeat(after)];
      await writeFile(file, 'o'.repeat(before));
      await chmod(file, 0o750);
      await link(file, join(folder, 'kept.sh'));
      await one(folder, 'Write', { file_path: 'run.sh', content });
      expect(await readFile(file, 'utf8')).toBe(content);
      expect((await stat(file)).mode & 0o777).toBe(0o750);
      expect((await stat(join(folder, 'kept.sh'))).size).toBe(before);
      expect((await readdir(folder)).sort()).toEqual(['kept.sh', 'run.sh']);
    });
  });

  it.each([
    ['a folder', 'sub', 'sub is a folder.'],
    ['the project folder itself', '.', '. is a folder.'],
    ['a read-only file', 'fixed.txt', 'fixed.txt is read-only.'],
    ['a place under a file', 'fixed.txt/x', 'fixed.txt in fixed.txt/x is not a folder.'],
  ])('fails with a message on %s, and leaves nothing behind', async (_, file_path, text) => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'sub'));
      await writeFile(join(folder, 'fixed.txt'), 'old');
      await chmod(join(folder, 'fixed.txt'), 0o444);
      const result = await one(folder, 'Write', { file_path, content: 'x' });
      expect([result.outcome, result.text]).toEqual(['failed', text]);
      expect((await readdir(folder)).sort()).toEqual(['fixed.txt', 'sub']);
      expect(await readFile(join(folder, 'fixed.txt'), 'utf8')).toBe('old');
    });
  });

  it('writes through a link that stays inside, even to a new file', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'real'));
      await symlink('real/../real/a.txt', join(folder, 'link'));
      const { text } = await one(folder, 'Write', { file_path: 'link', content: 'x' });
      expect(text).toBe('Created real/a.txt (1 byte).');
    });
  });
});

describe('Edit', () => {
  it.each([
    ['one place', 'b', 'X', {}, 'a X c a', 'Replaced 1 occurrence in f.txt.'],
    ['every place', 'a', 'X', { replace_all: true }, 'X b c X', 'Replaced 2 occurrences in f.txt.'],
    ['a $ pattern as it stands', 'b', '$&$1', {}, 'a $&$1 c a', 'Replaced 1 occurrence in f.txt.'],
  ])('replaces %s', async (_, old_string, new_string, more, content, text) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f.txt'), 'a b c a');
      const result = await one(folder, 'Edit', {
        file_path: 'f.txt',
        old_string,
        new_string,
        ...more,
      });
      expect(result.text).toBe(text);
      expect(await readFile(join(folder, 'f.txt'), 'utf8')).toBe(content);
    });
  });

  it.each([
    ['text that is not there', 'z', 'X', 'old_string was not found in f.txt.'],
    ['text that stands twice', 'a', 'X', /^old_string occurs 2 times in f\.txt: add surrounding/],
    ['no change', 'b', 'b', 'old_string and new_string are the same.'],
    ['an empty text', '', 'X', /old_string must not be empty\./],
  ])('refuses %s', async (_, old_string, new_string, text) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f.txt'), 'a b c a');
      const result = await one(folder, 'Edit', { file_path: 'f.txt', old_string, new_string });
      expect(result.text).toMatch(text);
      expect(await readFile(join(folder, 'f.txt'), 'utf8')).toBe('a b c a');
    });
  });

  it('keeps every byte it did not touch: line ends, byte order mark', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'f.txt'), '\uFEFFa\r\nb\r\n');
      await one(folder, 'Edit', { file_path: 'f.txt', old_string: 'b', new_string: 'ß' });
      expect(await readFile(join(folder, 'f.txt'), 'utf8')).toBe('\uFEFFa\r\nß\r\n');
    });
  });
});

describe('a write in progress', () => {
  it('does not overwrite concurrent changes of another process, and leaves nothing behind', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'f.txt');
      await writeFile(file, `old ${'x'.repeat(8_000_000)}`);
      const input = { file_path: 'f.txt', old_string: 'old', new_string: 'new' };
      const edit = one(folder, 'Edit', input);
      await writeBegun(folder);
      writeFileSync(file, 'foreign');
      expect((await edit).text).toBe('f.txt has changed since it was read. Read it again.');
      expect(await readFile(file, 'utf8')).toBe('foreign');
      expect(await readdir(folder)).toEqual(['f.txt']);
    });
  });

  it('writes nothing when its turn is stopped', async () => {
    await inFolder(async (folder) => {
      const stop = new AbortController();
      const prompt = step('Write', { file_path: 'f.txt', content: 'x'.repeat(8_000_000) });
      const turn = runTurn(makeRuntime(), makeSpec(folder, { prompt }), stop.signal);
      await writeBegun(folder);
      stop.abort(new TurnStop('cancelled', 'By hand.'));
      expect((await turn).end.outcome).toBe('cancelled');
      expect(await readdir(folder)).toEqual([]);
    });
  });
});

describe('NotebookEdit', () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', id: 'm1', metadata: {}, source: ['# T'] },
      {
        cell_type: 'code',
        id: 'c1',
        metadata: { tags: ['x'] },
        source: ['1'],
        outputs: [{}],
        execution_count: 3,
      },
    ],
    metadata: { kernelspec: { name: 'python3' } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  const edit = async (folder: string, input: object) => {
    await writeFile(join(folder, 'n.ipynb'), JSON.stringify(notebook));
    const result = await one(folder, 'NotebookEdit', { notebook_path: 'n.ipynb', ...input });
    const text = await readFile(join(folder, 'n.ipynb'), 'utf8');
    return { ...result, text, after: JSON.parse(text), message: result.text };
  };

  it('replaces the source of a cell and drops its old outputs', async () => {
    await inFolder(async (folder) => {
      const { after } = await edit(folder, { cell_id: 'c1', new_source: 'a\nb' });
      expect(after).toEqual({
        ...notebook,
        cells: [
          notebook.cells[0],
          {
            cell_type: 'code',
            id: 'c1',
            metadata: { tags: ['x'] },
            source: ['a\n', 'b'],
            outputs: [],
            execution_count: null,
          },
        ],
      });
    });
  });

  it('inserts after the named cell, or first', async () => {
    await inFolder(async (folder) => {
      const input = { edit_mode: 'insert', cell_type: 'markdown', new_source: 'new' };
      const first = await edit(folder, input);
      expect(first.after.cells.map((cell: { source: unknown }) => cell.source)).toEqual([
        ['new'],
        ['# T'],
        ['1'],
      ]);
      expect(first.after.cells[0]).toEqual({
        cell_type: 'markdown',
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        metadata: {},
        source: ['new'],
      });
      const second = await edit(folder, { ...input, cell_number: 0 });
      expect(second.after.cells[1].source).toEqual(['new']);
    });
  });

  it('deletes a cell, and changes the kind of one', async () => {
    await inFolder(async (folder) => {
      const deleted = await edit(folder, { edit_mode: 'delete', cell_number: 0 });
      expect(deleted.after.cells).toEqual([notebook.cells[1]]);
      const changed = await edit(folder, {
        cell_number: 1,
        cell_type: 'markdown',
        new_source: 'x',
      });
      expect(changed.after.cells[1]).toEqual({
        cell_type: 'markdown',
        id: 'c1',
        metadata: { tags: ['x'] },
        source: ['x'],
      });
    });
  });

  it.each([
    [{ new_source: 'x' }, 'cell_id or cell_number is required to replace or delete a cell.'],
    [{ cell_id: 'zz', new_source: 'x' }, 'There is no cell with the id zz.'],
    [{ cell_number: 2, new_source: 'x' }, 'The notebook has only 2 cells, counted from 0.'],
    [{ cell_number: 0 }, 'new_source is required.'],
    [{ edit_mode: 'insert', new_source: 'x' }, 'cell_type is required to insert a cell.'],
  ])('refuses %j and changes nothing', async (input, message) => {
    await inFolder(async (folder) => {
      const result = await edit(folder, input);
      expect(result.message).toBe(message);
      expect(result.text).toBe(JSON.stringify(notebook));
    });
  });

  it('refuses a file that is not a notebook', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a.txt'), '{"cells": [1]}');
      const { text } = await one(folder, 'NotebookEdit', { notebook_path: 'a.txt' });
      expect(text).toBe('a.txt is not a notebook (JSON with a list of cells).');
    });
  });
});

async function tree(folder: string): Promise<void> {
  const files = {
    'a.md': 'Alpha\nbeta\n',
    '.hidden.md': 'hidden\n',
    'docs/b.md': 'Beta alpha\r\n',
    'docs/deep/c.txt': 'alpha\nALPHA\n',
    'docs/[x].md': 'odd\n',
    'node_modules/m/index.md': 'alpha\n',
    '.git/d.md': 'alpha\n',
    'data.bin': 'alpha\0\n',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

describe('Glob', () => {
  it.each([
    [{ pattern: '*.md' }, ['.hidden.md', 'a.md']],
    [{ pattern: './*.md' }, ['.hidden.md', 'a.md']],
    [{ pattern: '**/*.md' }, ['.hidden.md', 'a.md', 'docs/[x].md', 'docs/b.md']],
    [{ pattern: 'docs/**' }, ['docs/[x].md', 'docs/b.md', 'docs/deep/c.txt']],
    [{ pattern: '**/deep/*' }, ['docs/deep/c.txt']],
    [{ pattern: '**/?.{txt,md}' }, ['a.md', 'docs/b.md', 'docs/deep/c.txt']],
    [{ pattern: '{docs/**,a}/*.txt' }, ['docs/deep/c.txt']],
    [{ pattern: '[!a].md', path: 'docs' }, ['docs/b.md']],
    [{ pattern: '[a-b].md', path: 'docs' }, ['docs/b.md']],
    [{ pattern: '\\[x\\].md', path: 'docs' }, ['docs/[x].md']],
    [{ pattern: 'node_modules/**/*.md' }, ['node_modules/m/index.md']],
    [{ pattern: '**', path: 'node_modules' }, ['node_modules/m/index.md']],
    [{ pattern: 'a.md', path: 'a.md' }, ['a.md']],
    [{ pattern: '{a' }, ['No files match.']],
    [{ pattern: 'A.md' }, ['No files match.']],
    [{ pattern: '!(a).md' }, ['No files match.']],
  ])('finds by %j', async (input, found) => {
    await inFolder(async (folder) => {
      await tree(folder);
      expect((await one(folder, 'Glob', input)).text.split('\n')).toEqual(found);
    });
  });

  it.each([
    [{ pattern: '[z-a]' }, /^\[z-a\] is not a valid file name pattern/],
    [{ pattern: '*', path: 'none' }, 'There is no none.'],
    [{ pattern: 'x'.repeat(1001) }, /pattern must have at most 1000 characters\./],
  ])('fails with a message on %j', async (input, text) => {
    await inFolder(async (folder) => {
      expect((await one(folder, 'Glob', input)).text).toMatch(text);
    });
  });

  it('shows at most 1000 files, with a mark', async () => {
    await inFolder(async (folder) => {
      await Promise.all(
        Array.from({ length: 1001 }, (_, i) => writeFile(join(folder, `f${i}`), '')),
      );
      const lines = (await one(folder, 'Glob', { pattern: '*' })).text.split('\n');
      expect(lines).toHaveLength(1001);
      expect(lines.at(-1)).toBe('[Cut: the first 1000 files are shown.]');
    });
  });

  it('does not hang on a pattern that makes backtracking matchers hang', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a'.repeat(255)), '');
      const from = clock.mono();
      const pattern = `${'*a'.repeat(100)}*b`;
      expect((await one(folder, 'Glob', { pattern })).text).toBe('No files match.');
      expect(clock.mono() - from).toBeLessThan(20_000);
    });
  });
});

describe('Grep', () => {
  it.each([
    [{ pattern: 'alpha' }, ['docs/b.md', 'docs/deep/c.txt']],
    [{ pattern: 'alpha', '-i': true }, ['a.md', 'docs/b.md', 'docs/deep/c.txt']],
    [
      { pattern: 'alpha$', output_mode: 'content' },
      ['docs/b.md:1:Beta alpha', 'docs/deep/c.txt:1:alpha'],
    ],
    [
      { pattern: 'alpha', '-i': true, output_mode: 'count' },
      ['a.md:1', 'docs/b.md:1', 'docs/deep/c.txt:2'],
    ],
    [{ pattern: 'alpha', glob: '*.txt' }, ['docs/deep/c.txt']],
    [{ pattern: 'alpha', glob: 'docs/*' }, ['docs/b.md']],
    [{ pattern: 'alpha', path: 'docs/deep' }, ['docs/deep/c.txt']],
    [{ pattern: 'alpha', path: 'docs/deep/c.txt' }, ['docs/deep/c.txt']],
    [{ pattern: 'alpha', path: 'node_modules' }, ['node_modules/m/index.md']],
    [{ pattern: 'nothing' }, ['No matches.']],
    [
      { pattern: 'a', head_limit: '1', path: '', glob: null, output_mode: '' },
      ['a.md', '[Cut: the first line is shown.]'],
    ],
    [{ pattern: 'a', head_limit: 1 }, ['a.md', '[Cut: the first line is shown.]']],
  ])('finds by %j', async (input, found) => {
    await inFolder(async (folder) => {
      await tree(folder);
      expect((await one(folder, 'Grep', input)).text.split('\n')).toEqual(found);
    });
  });

  it.each([
    [{ pattern: '(' }, /^pattern is not a regular expression in RE2 syntax/],
    [{ pattern: '(?=a)' }, /^pattern is not a regular expression in RE2 syntax/],
    [{ pattern: 'a', glob: '[z-a]' }, /is not a valid file name pattern/],
    [{ pattern: 'a', path: 'none' }, 'There is no none.'],
    [{ pattern: 'a', output_mode: 'all' }, /output_mode must be one of 'files_with_matches'/],
  ])('fails with a message on %j', async (input, text) => {
    await inFolder(async (folder) => {
      expect((await one(folder, 'Grep', input)).text).toMatch(text);
    });
  });

  it('reports how many files were too large, and skips binary ones', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'large'), 'alpha\n'.repeat(800_000));
      const { text } = await one(folder, 'Grep', { pattern: 'alpha' });
      expect(text).toBe('No matches.\n[1 file was not searched: larger than 4 MiB or unreadable.]');
    });
  });

  it('shortens long lines', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a'), `alpha${'x'.repeat(9000)}`);
      const input = { pattern: 'alpha', output_mode: 'content' };
      const { text } = await one(folder, 'Grep', input);
      expect(text).toHaveLength('a:1:'.length + 501);
    });
  });

  it.each(['(a+)+$', '(a|a)*b', '(.*)(.*)(.*)(.*)(.*)[^a]', '(x?){400}x{400}', '(a{1,30}){1,30}b'])(
    'never blocks the process: %s',
    async (pattern) => {
      await inFolder(async (folder) => {
        await writeFile(join(folder, 'a'), `${'a'.repeat(30_000)}\n`.repeat(3));
        await writeFile(join(folder, 'x'), `${'x'.repeat(399)}\n`.repeat(20));
        // A backtracking engine would not be done with these before the test is given up.
        const { outcome } = await one(folder, 'Grep', { pattern, output_mode: 'content' });
        expect(outcome).toBe('succeeded');
      });
    },
  );
});
