import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { detectRuntimes } from '@svc/agent-runtime';
import { inFolder } from './support.ts';

describe('agent programs on a PATH', () => {
  it('are those that can be started, in a fixed order', async () => {
    await inFolder(async (folder) => {
      const [a, b] = [join(folder, 'a'), join(folder, 'b')];
      await mkdir(a);
      await mkdir(b);
      await mkdir(join(a, 'goose'));
      for (const file of [join(a, 'codex'), join(b, 'claude'), join(b, 'vim')]) {
        await writeFile(file, '');
        await chmod(file, 0o755);
      }
      await writeFile(join(a, 'gemini'), '');
      await symlink(join(a, 'codex'), join(b, 'ollama'));
      await symlink(join(a, 'none'), join(b, 'llm'));
      expect(await detectRuntimes(`${a}:${b}`)).toEqual(['claude', 'codex', 'ollama']);
      expect(await detectRuntimes(`${join(folder, 'none')}:${a}`)).toEqual(['codex']);
    });
  });

  it.each(['', ':', '.', 'relative:..'])('are none on %j', async (path) => {
    expect(await detectRuntimes(path)).toEqual([]);
  });
});
