import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { ALL, callAs } from './calls.ts';
import { NO_TRIGGERS, withWorld } from './harness.ts';

const NAMED = {
  trigger: { type: 'schedule', cron: '0 3 * * *' },
  run: { promptFile: 'report.md', tools: ['Read'] },
  enabled: true,
};
const FILE = 'demo/.svc/triggers/report.md';
const MISSING =
  'names .svc/triggers/report.md, which does not exist. Every run fails until this is fixed.';
const WARNING = { path: 'run.promptFile', message: MISSING };

const YAML = `triggers:
  report:
    trigger: { type: schedule, cron: "0 3 * * *" }
    run:
      promptFile: report.md
    enabled: true
  off:
    trigger: { type: schedule, cron: "0 3 * * *" }
    run: { promptFile: report.md }
    enabled: false
schedules:
  old: { type: interval, interval: 1h, promptFile: old.md }
`;

describe('a prompt file that is not there', () => {
  it('is reported when a trigger is validated, put and read, and does not prevent storing it', () =>
    withWorld(NO_TRIGGERS, async ({ ops, write }) => {
      const checked = await ops.triggers.validate('demo', NAMED);
      expect(checked).toMatchObject({ value: { valid: true, warnings: [WARNING] } });
      const put = await ops.triggers.put(USER, 'demo', 'report', NAMED);
      expect(put).toMatchObject({ value: { warnings: [WARNING] } });
      const read = await ops.triggers.get('demo', 'report');
      expect(read).toMatchObject({ value: { warnings: [WARNING] } });
      write(FILE, 'Report.');
      const again = await ops.triggers.put(USER, 'demo', 'report', NAMED);
      expect(again).toMatchObject({ value: { warnings: [] } });
    }));

  it('is reported in lists, with its line, and as the reason of armed triggers, until it exists', () =>
    withWorld(YAML, async ({ ops, write, root }) => {
      const list = async () => {
        const listed = await ops.triggers.list('demo');
        return listed.ok ? [...listed.value.triggers, ...listed.value.legacySchedules] : [];
      };
      const reasons = async () => {
        const states = await ops.triggers.runtime('demo');
        return states.ok ? states.value.map(({ armed, reason }) => [armed, reason]) : [];
      };
      expect(await list()).toMatchObject([
        { warnings: [{ ...WARNING, line: 5, column: 19 }] },
        { warnings: [{ ...WARNING, line: 9 }] },
        {
          warnings: [{ path: 'promptFile', message: expect.stringContaining('schedules/old.md') }],
        },
      ]);
      expect(await reasons()).toEqual([
        [true, `run.promptFile ${MISSING}`],
        [false, 'It is disabled.'],
        [true, expect.stringContaining('.svc/schedules/old.md, which does not exist.')],
      ]);
      write(FILE, 'Report.');
      write('demo/.svc/schedules/old.md', 'Tidy.');
      expect((await list()).map((entry) => entry.warnings)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect((await reasons()).map(([, reason]) => reason)).toEqual([
        undefined,
        'It is disabled.',
        undefined,
      ]);
      rmSync(join(root, FILE));
      expect((await list())[0]).toMatchObject({ warnings: [WARNING] });
    }));

  it('is reported to clients under the argument that they gave, and in their list', () =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const args = { name: 'report', cron: '0 3 * * *', prompt_file: 'report.md' };
      expect(await callAs(ops, ALL, 'set_trigger', args)).toMatchObject({
        value: { set: true, warnings: [{ path: 'prompt_file', message: MISSING }] },
      });
      expect(await callAs(ops, ALL, 'list_triggers')).toMatchObject({
        value: { triggers: [{ name: 'report', warnings: [WARNING] }] },
      });
    }));

  it('is logged', () =>
    withWorld(YAML, async ({ logger }) => {
      const logged = logger.lines.filter(({ message }) => message === 'warnings in project.yaml');
      expect(logged).toMatchObject([
        {
          fields: { warnings: [{ entry: 'report', line: 5 }, { entry: 'off' }, { entry: 'old' }] },
        },
      ]);
    }));
});

it.each([
  ['is empty.', ''],
  ['must be a regular file.', null],
  ['is 262145 bytes; the limit is 262144.', 'x'.repeat(262_145)],
])('a prompt file is also reported when it %s', (fault, text) =>
  withWorld(YAML, async ({ ops, write }) => {
    write(text === null ? `${FILE}/inner.md` : FILE, text ?? 'x');
    expect(await ops.triggers.get('demo', 'report')).toMatchObject({
      value: { warnings: [{ message: expect.stringContaining(`report.md, which ${fault} `) }] },
    });
  }),
);

it.each([
  ['is empty.', ' \n\t'],
  ['is not UTF-8 text. Save it in that encoding.', Buffer.from('Caf\u00e9.', 'latin1')],
])(
  'a prompt file whose text %s is reported wherever the trigger is, until it is fixed',
  (fault, bytes) =>
    withWorld(YAML, async ({ ops, root, write }) => {
      write('demo/.svc/schedules/old.md', 'Tidy.');
      write(FILE, '');
      writeFileSync(join(root, FILE), bytes);
      const message = `names .svc/triggers/report.md, which ${fault} Every run fails until this is fixed.`;
      const state = async () => {
        const states = await ops.triggers.runtime('demo');
        return states.ok ? states.value.find(({ name }) => name === 'report') : null;
      };
      const put = await ops.triggers.put(USER, 'demo', 'report', NAMED);
      expect(put).toMatchObject({ value: { warnings: [{ path: 'run.promptFile', message }] } });
      const listed = await ops.triggers.list('demo');
      expect(listed).toMatchObject({
        value: { triggers: [{ warnings: [{ message, line: expect.any(Number) }] }, {}] },
      });
      const reason = `run.promptFile ${message}`;
      expect(await state()).toMatchObject({ reason, attention: [{ kind: 'unready', reason }] });
      const args = { name: 'report', cron: '0 3 * * *', prompt_file: 'report.md' };
      expect(await callAs(ops, ALL, 'set_trigger', args)).toMatchObject({
        value: { warnings: [{ path: 'prompt_file', message }] },
      });
      write(FILE, 'Report, in full.');
      expect(await state()).not.toHaveProperty('attention');
    }),
);
