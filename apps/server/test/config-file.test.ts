import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { homeAt, readConfigFile } from '../src/home.ts';

it('a configuration file in Latin-1 is refused, with the line', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-settings-'));
  try {
    const text = 'log: { level: debug }\n# caf\u00e9\n';
    await writeFile(join(root, 'svc.config.yaml'), Buffer.from(text, 'latin1'));
    await expect(readConfigFile(homeAt(root, null))).rejects.toMatchObject({
      code: 'config_unreadable',
      message: expect.stringContaining('is not UTF-8 text (line 2). Save it in that encoding.'),
    });
  } finally {
    await rm(root, { recursive: true });
  }
});
