import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type Running, until, withHome } from '../test/harness.ts';

jest.setTimeout(120_000);

const ZONES = '/usr/share/zoneinfo';
const PROJECT = `triggers:
  local:
    trigger: { type: schedule, cron: 0 12 * * * }
    run: { prompt: Go. }
    enabled: true
`;

async function hourOf(server: Running): Promise<number> {
  const { body } = await server.get('/api/projects/demo/triggers/runtime');
  const [state] = (body as { runtime: { nextFire: string }[] }).runtime;
  return new Date(state?.nextFire ?? '').getUTCHours();
}

/** Node follows `TZ=:/path` only if the path contains no digit. */
function placeOfZone(): string {
  const letters = [...randomBytes(12)].map((byte) => 'abcdefghijklmnop'[byte % 16]).join('');
  return join(tmpdir(), `svc-zone-${letters}`);
}

describe('the time zone of the host', () => {
  // proves: firing.clock.host-zone
  it('is updated within a minute when its file is replaced', () => {
    if (!existsSync(ZONES)) throw new Error('tzdata is missing: apt-get install tzdata.');
    return withHome(async (home) => {
      home.write('projects/demo/project.yaml', PROJECT);
      const file = placeOfZone();
      copyFileSync(`${ZONES}/Asia/Tokyo`, file);
      const server = await home.serve({ TZ: `:${file}` });
      expect(await hourOf(server)).toBe(3);
      copyFileSync(`${ZONES}/Asia/Kolkata`, `${file}.new`);
      renameSync(`${file}.new`, file);
      await until(async () => (await hourOf(server)) === 6, 60);
      expect(server.lines).toContainEqual(
        expect.objectContaining({ level: 40, msg: 'time zone of the host changed' }),
      );
      rmSync(file);
    });
  });
});
