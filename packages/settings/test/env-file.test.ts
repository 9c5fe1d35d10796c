import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parseEnvFile, readEnvFile } from '../src/index.ts';

describe('the text of an envFile', () => {
  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['\n  \n# A=1\n   # B=2\n', {}],
    ['A=1', { A: '1' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['export A=1\n  export\tB = 2 ', { A: '1', B: '2' }],
    ['A=', { A: '' }],
    ['A="x # y" # note\nB=\'"x"\'', { A: 'x # y', B: '"x"' }],
    ["A='it'  \nB=it's", { A: 'it', B: "it's" }],
    ['A=x#y\nB=x #y\nC=#y', { A: 'x#y', B: 'x', C: '' }],
    ['A=a=b==', { A: 'a=b==' }],
    ['A=\\n$B', { A: '\\n$B' }],
    ['A=1\nA=2', { A: '2' }],
    ['export=1\n_=2', { export: '1', _: '2' }],
  ])('%j sets %j', (text, variables) => {
    expect(parseEnvFile(text)).toEqual({ ok: true, value: variables });
  });

  it.each<[string, number]>([
    ['A', 1],
    ['A=1\n\nB: 2', 3],
    ['=1', 1],
    ['1A=1', 1],
    ['A-B=1', 1],
    ['A="secret', 1],
    ['A=\'secret" ', 1],
    ['A="secret" more', 1],
    ['set A=secret', 1],
  ])('%j has an error in line %i, which does not contain the value', (text, line) => {
    const parsed = parseEnvFile(text);
    expect(parsed).toMatchObject({ ok: false, issues: [{ line }] });
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });
});

describe('an envFile on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-env-'));
  const file = join(folder, 'secrets.env');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const put = (mode: number, text: string | Buffer = 'A=1\n') => {
    writeFileSync(file, text);
    chmodSync(file, mode);
  };

  it.each([0o600, 0o400, 0o700])('is read with mode %o', async (mode) => {
    put(mode);
    expect(await readEnvFile(file)).toEqual({ A: '1' });
  });

  it.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o777])(
    'is refused with mode %o, with advice',
    async (mode) => {
      put(mode);
      await expect(readEnvFile(file)).rejects.toMatchObject({
        code: 'env_file_unusable',
        message: `The envFile ${file} is accessible to other users (mode ${mode.toString(8)}). Run chmod 600 ${file}.`,
      });
    },
  );

  it('is checked behind a symbolic link', async () => {
    put(0o644);
    const link = join(folder, 'link');
    symlinkSync(file, link);
    await expect(readEnvFile(link)).rejects.toThrow('mode 644');
    chmodSync(file, 0o600);
    expect(await readEnvFile(link)).toEqual({ A: '1' });
  });

  it('is refused when it is larger than 1 MiB, or not UTF-8', async () => {
    put(0o600, `A=1\n${'#'.repeat(1024 * 1024 - 4)}`);
    expect(await readEnvFile(file)).toEqual({ A: '1' });
    put(0o600, `A=1\n${'#'.repeat(1024 * 1024 - 3)}`);
    await expect(readEnvFile(file)).rejects.toThrow(`The envFile ${file} is larger than 1 MiB.`);
    put(0o600, Buffer.from('A=\xe9\n', 'latin1'));
    await expect(readEnvFile(file)).rejects.toMatchObject({
      code: 'env_file_unusable',
      message: `The envFile ${file} is not UTF-8. Save it as UTF-8.`,
    });
  });

  it('is refused when it is missing, in one line with its name', async () => {
    mkdirSync(join(folder, 'dir'), { mode: 0o700 });
    await expect(readEnvFile(join(folder, 'gone'))).rejects.toThrow(/gone does not exist\. .+$/);
    await expect(readEnvFile(join(folder, 'dir'))).rejects.toThrow('is not a regular file');
    put(0o600, 'A=1\nnonsense\n');
    await expect(readEnvFile(file)).rejects.toThrow(
      `Invalid envFile at ${file}:2: a line must be NAME=value`,
    );
  });
});
