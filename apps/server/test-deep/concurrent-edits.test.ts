import { appendFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { parseProject } from '@svc/trigger-schema';
import { withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const BEFORE = `# kept: head
name: Demo   # kept: odd blanks
triggers:
  first:   { trigger: {type: webhook},   enabled: false }   # kept: flow map
# kept: tail
`;

it('two servers and an editor write one file, and no edit is lost', () =>
  withHome((one) =>
    withHome(async (two) => {
      one.write('projects/demo/project.yaml', BEFORE);
      symlinkSync(join(one.home, 'projects'), join(two.home, 'projects'));
      mkdirSync(join(two.home, 'data'));
      const servers = [await one.serve(), await two.serve()];
      const file = join(one.home, 'projects/demo/project.yaml');
      const halves: string[] = [];
      const reading = setInterval(() => {
        const text = readFileSync(file, 'utf8');
        if (!text.endsWith('\n') || !parseProject(text).ok) halves.push(text);
      }, 1);
      const puts = Array.from({ length: 40 }, async (_, n) => {
        const record = {
          trigger: { type: 'schedule', interval: '1h' },
          run: { prompt: `No ${n}` },
        };
        const server = servers[n % 2];
        const put = await server?.send('PUT', `/api/projects/demo/triggers/t${n}`, record);
        return put?.status;
      });
      const saved: string[] = [];
      // A rename of one program and a write of another can always fall on the same microsecond, so the editor checks the saved file, as
      // people do.
      const save = async (line: string): Promise<void> => {
        for (let tries = 0; tries < 3; tries += 1) {
          appendFileSync(file, `${line}\n`);
          await new Promise((resolve) => setTimeout(resolve, 40));
          if (readFileSync(file, 'utf8').includes(`${line}\n`)) return;
        }
      };
      const person = (async () => {
        for (let n = 0; n < 10; n += 1) {
          await save(`# saved by hand ${n}`);
          saved.push(`# saved by hand ${n}`);
        }
      })();
      expect(await Promise.all(puts)).toEqual(Array.from({ length: 40 }, () => 200));
      await person;
      clearInterval(reading);
      const text = readFileSync(file, 'utf8');
      const parsed = parseProject(text);
      const names = parsed.ok ? [...parsed.value.triggers.keys()] : [];
      expect(names).toHaveLength(41);
      for (const line of [...saved, ...BEFORE.trim().split('\n')]) expect(text).toContain(line);
      expect(halves).toEqual([]);
    }),
  ));
