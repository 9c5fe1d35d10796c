import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { openCertificate, type TlsFiles, type TlsPair } from '../src/index.ts';
import { readTlsPair } from '../src/tls-pair.ts';
import { until } from './wire.ts';

type Part = 'cert' | 'key';
const fixture = (name: string, part: Part): string =>
  new URL(`./fixtures/${name}.${part}.pem`, import.meta.url).pathname;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const fileIn = (folder: string, part: Part): string => join(folder, `${part}.pem`);

const filesIn = (folder: string): TlsFiles => ({
  certFile: fileIn(folder, 'cert'),
  keyFile: fileIn(folder, 'key'),
});

function install(folder: string, name: string, ...parts: Part[]): void {
  for (const part of parts) copyFileSync(fixture(name, part), fileIn(folder, part));
}

/** A folder with a certificate and its key. */
function folderWith(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
  folders.push(folder);
  install(folder, name, 'cert', 'key');
  return folder;
}

const pairOf = async (name: string): Promise<TlsPair> => {
  const read = await readTlsPair({
    certFile: fixture(name, 'cert'),
    keyFile: fixture(name, 'key'),
  });
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

describe('a certificate and key pair', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'no certificate file',
      'nowhere',
      fixture('one', 'key'),
      /^server\.tls\.certFile: .*nowhere does not exist\.$/,
    ],
    [
      'no key file',
      fixture('one', 'cert'),
      'nowhere',
      /^server\.tls\.keyFile: .*nowhere does not exist\.$/,
    ],
    [
      'a folder',
      '/',
      fixture('one', 'key'),
      /^server\.tls\.certFile: \/ cannot be read \(EISDIR\)\.$/,
    ],
    [
      'a key for a certificate',
      fixture('one', 'key'),
      fixture('one', 'key'),
      /certFile: .* contains no PEM certificate\.$/,
    ],
    [
      'a certificate for a key',
      fixture('one', 'cert'),
      fixture('one', 'cert'),
      /keyFile: .* contains no PEM private key/,
    ],
    [
      'a key for another certificate',
      fixture('one', 'cert'),
      fixture('two', 'key'),
      /keyFile: the key in .*two.* does not belong to .*one/,
    ],
  ])('is rejected with the name of the setting: %s', async (_, certFile, keyFile, words) => {
    const clock = createFakeClock();
    const opened = openCertificate({ clock, logger: createMemoryLogger() }, { certFile, keyFile });
    await expect(opened).rejects.toMatchObject({
      code: 'tls_unusable',
      message: expect.stringMatching(words),
    });
  });

  it('that has expired is used, with a warning', async () => {
    const files = { certFile: fixture('expired', 'cert'), keyFile: fixture('expired', 'key') };
    const logger = createMemoryLogger();
    await openCertificate({ clock: createFakeClock(), logger }, files);
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { endsAt: '2001-01-01T00:00:00.000Z' } },
    ]);
  });

  it('is checked every few seconds, and at once on request', async () => {
    const folder = folderWith('one');
    const clock = createFakeClock();
    const logger = createMemoryLogger();
    const files = filesIn(folder);
    const certificate = await openCertificate({ clock, logger }, files);
    const taken: string[] = [];
    certificate.watch(async ({ fingerprint }) => void taken.push(fingerprint));
    const [one, two] = await Promise.all([pairOf('one'), pairOf('two')]);

    install(folder, 'two', 'cert', 'key');
    await certificate.renew();
    expect(taken).toEqual([two.fingerprint]);
    install(folder, 'one', 'cert', 'key');
    // Checking takes real disk time, which the fake clock does not include.
    await until(async () => {
      await clock.advance(2_000);
      return taken.length === 2;
    });
    expect(taken).toEqual([two.fingerprint, one.fingerprint]);
    await certificate.renew();
    expect(taken).toHaveLength(2);
    await certificate.close();
    install(folder, 'two', 'cert', 'key');
    await clock.advance(60_000);
    await certificate.renew();
    expect(taken).toHaveLength(2);
    expect(certificate.pair.fingerprint).toBe(one.fingerprint);
  });
});

it('a renewed certificate that could not be loaded is retried, and logged once', async () => {
  const folder = folderWith('one');
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const files = filesIn(folder);
  const certificate = await openCertificate({ clock, logger }, files);
  let attempts = 0;
  let isFull = true;
  certificate.watch(async () => {
    attempts += 1;
    if (isFull) throw new Error('The disk is full.');
  });
  install(folder, 'two', 'cert', 'key');
  await until(async () => {
    await clock.advance(2_000);
    return attempts >= 2;
  });
  isFull = false;
  const two = await pairOf('two');
  await until(async () => {
    await clock.advance(2_000);
    return certificate.pair.fingerprint === two.fingerprint;
  });
  await certificate.close();
  const error = { level: 'error', fields: { error: 'The disk is full.' } };
  expect(logger.lines).toMatchObject([error, { fields: { fingerprint: two.fingerprint } }]);
});
