import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProcessTimeZone } from '../src/process-time-zone.ts';

const ZONES = '/usr/share/zoneinfo';

describe('the time zone of the process', () => {
  let folder: string;
  let places: { data: string; local: string };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-own-zone-'));
    places = { data: join(folder, 'zoneinfo'), local: join(folder, 'localtime') };
    mkdirSync(join(places.data, 'Europe'), { recursive: true });
    copyFileSync(`${ZONES}/Europe/Berlin`, join(places.data, 'Europe/Berlin'));
    copyFileSync(`${ZONES}/Asia/Tokyo`, join(folder, 'copied'));
    writeFileSync(join(folder, 'text'), 'Europe/Berlin\n');
    symlinkSync(join(places.data, 'Europe/Berlin'), places.local);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const zoneOf = (tz: string): [string | undefined, string | null] => {
    const env: Record<string, string | undefined> = { TZ: tz.replace('FOLDER', folder) };
    const { warning } = createProcessTimeZone(env, places);
    return [env['TZ'], warning];
  };

  // proves: firing.clock.own-zone
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [':Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['posix/Europe/Berlin', 'Europe/Berlin'],
    ['', 'UTC'],
    [':', 'UTC'],
    [':FOLDER/localtime', 'Europe/Berlin'],
    ['FOLDER/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['FOLDER/copied', 'Etc/GMT-9'],
    ['UTC+2', 'Etc/GMT+2'],
    ['<-03>3', 'Etc/GMT+3'],
    ['Etc/GMT+2', 'Etc/GMT+2'],
  ])('TZ=%j is %s', (tz, zone) => {
    expect(zoneOf(tz)).toEqual([zone, null]);
  });

  // proves: firing.clock.own-zone
  it.each([
    ...['Europe/Berln', ' Europe/Berlin', 'BST', 'CET-1CEST', '+02:00', 'XXX3:17', 'Etc/Unknown'],
    ...['FOLDER/text', 'FOLDER/missing', 'FOLDER', '/dev/zero', '../../etc/passwd', 'a\u0000b'],
  ])('TZ=%j is UTC, with a warning', (tz) => {
    const [zone, warning] = zoneOf(tz);
    expect(zone).toBe('UTC');
    expect(warning).toMatch(
      /^TZ="[^"]+" is not a time zone, so UTC is used\. Set TZ to an IANA name/,
    );
    expect(warning?.length).toBeLessThanOrEqual(200);
  });

  it('is read again when its file has changed', () => {
    const file = join(folder, 'changing');
    copyFileSync(`${ZONES}/Asia/Tokyo`, file);
    const env: Record<string, string | undefined> = { TZ: `:${file}` };
    const zone = createProcessTimeZone(env, places);
    expect(zone.file).toBe(file);
    copyFileSync(`${ZONES}/Asia/Kathmandu`, file);
    zone.redetect();
    expect([env['TZ'], zone.warning]).toEqual([expect.stringMatching(/^Asia\/Kath?mandu$/), null]);
    writeFileSync(file, '');
    zone.redetect();
    expect([env['TZ'], zone.warning]).toEqual(['UTC', expect.stringContaining('UTC is used')]);
  });

  it('stays the default of Node when TZ is not set', () => {
    const env: Record<string, string | undefined> = {};
    expect(createProcessTimeZone(env, places)).toMatchObject({ warning: null, file: places.local });
    expect(env).toEqual({});
  });
});
