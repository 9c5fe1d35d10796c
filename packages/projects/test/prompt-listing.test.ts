import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { withFolder } from './harness.ts';

it('limits the scan of a folder that was filled with other files', () =>
  withFolder(async ({ root, projects, write }) => {
    write('demo/.svc/schedules/report.md', 'Report.');
    const folder = join(root, 'demo/.svc/triggers');
    // One in six is a prompt, in any order of the file system.
    for (let at = 0; at < 5400; at += 1) {
      mkdirSync(join(folder, String(at)), { recursive: true });
      if (at % 6 === 0) writeFileSync(join(folder, String(at), 'x.md'), 'X.');
    }
    const listed = await projects.listPrompts('demo');
    const { length } = listed.filter(({ source }) => source === 'trigger');
    expect([length > 0, length < 900]).toEqual([true, true]);
    expect(listed).toContainEqual({ source: 'schedule', name: 'report.md', size: 7 });
  }));
