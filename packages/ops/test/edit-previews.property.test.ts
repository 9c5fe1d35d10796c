import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import fc from 'fast-check';
import { NO_TRIGGERS, type World, withWorld } from './harness.ts';

const FILES = [
  NO_TRIGGERS,
  '# Mine.\nname: Demo # here\n\ntriggers: {}\n',
  'triggers: { a: { trigger: { type: webhook }, run: { prompt: "x" } } }\n',
  'name: Demo\r\ntriggers:\r\n  a:\r\n    # Why.\r\n    trigger: { type: schedule, interval: 1h }\r\n    run:\r\n      prompt: |\r\n        Look.\r\n      mine: 1\r\n    enabled: true\r\nschedules: {}\r\n',
  'triggers:\n  b: &b\n    trigger: { type: schedule, cron: "0 3 * * *" }\n    run: { prompt: x }\n  c: *b\n  a: { }\nlast: line',
];
const text = fc.oneof(
  fc.constantFrom('Say hi', 'a: b', 'yes', '  lead', 'two\nlines\n', '"', '- x', 'trail \n\n'),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const record = fc.record({
  trigger: fc.constantFrom(
    { type: 'schedule', cron: '0 9 * * *' },
    { type: 'schedule', cron: '0 3 * * *', timezone: 'Europe/Berlin' },
    { type: 'schedule', interval: '6h' },
    { type: 'event', on: 'onArchive' },
    { type: 'schedule', cron: '0 9 * *' },
  ),
  run: fc.record(
    {
      prompt: text,
      tools: fc.subarray(['Read', 'Bash', 'Grep']),
      maxTurns: fc.integer({ min: 0, max: 40 }),
    },
    { requiredKeys: ['prompt'] },
  ),
  enabled: fc.boolean(),
});
const name = fc.constantFrom('a', 'b', 'c', 'new one', 'ünï', 'runtime', 'a/b');

async function shownOf({ ops }: World, key: string, wish: object) {
  const shown = await ops.triggers.validate('demo', wish, key);
  if (!shown.ok) throw new Error(shown.error.message);
  return shown.value;
}

/** What is shown of a PUT, and what the PUT then does. */
async function bothOf(world: World, key: string, wish: object) {
  const { ops, read } = world;
  const before = read('demo/project.yaml');
  const stored = await ops.triggers.get('demo', key);
  const { valid, edit } = await shownOf(world, key, wish);
  expect(read('demo/project.yaml')).toBe(before);
  const put = await ops.triggers.put(USER, 'demo', key, wish);
  const etag = stored.ok ? stored.value.etag : null;
  const done = { before, after: read('demo/project.yaml'), etag };
  return {
    shown: edit ?? (valid ? 'conflict' : 'invalid'),
    done: put.ok ? done : put.error.code,
  };
}

describe('a change that is only shown', () => {
  // proves: reads.validate.edit
  it('is, byte by byte, what a PUT then writes, and is shown of nothing that a PUT refuses', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const files = fc.constantFrom(...FILES);
      let shownChanges = 0;
      const law = fc.asyncProperty(files, name, record, async (file, key, wish) => {
        world.write('demo/project.yaml', file);
        const { shown, done } = await bothOf(world, key, wish);
        expect(shown).toEqual(done);
        shownChanges += Number(typeof shown === 'object');
      });
      const trigger = { type: 'schedule', interval: '6h' } as const;
      const wish = { trigger, run: { prompt: 'Say hi' }, enabled: true };
      // An empty file delays the read, as if it were still being written: one is enough.
      await fc.assert(law, { numRuns: 60, examples: [['', 'a', wish]] });
      expect(shownChanges).toBeGreaterThan(5);
    }));

  it('shows the entity tag, which is refused once another PUT has changed the trigger', () =>
    withWorld(FILES[2] ?? '', async (world) => {
      const wish = { trigger: { type: 'schedule', interval: '6h' }, run: { prompt: 'x' } };
      const ifMatch = (await shownOf(world, 'a', wish)).edit?.etag ?? '';
      const put = (condition: object) => world.ops.triggers.put(USER, 'demo', 'a', wish, condition);
      expect((await put({ ifMatch })).ok).toBe(true);
      expect(await put({ ifMatch })).toMatchObject({ error: { code: 'precondition_failed' } });
    }));

  it('is not there while the file cannot be read, and the warnings say why', () =>
    withWorld('triggers: {', async ({ ops }) => {
      const wish = { trigger: { type: 'schedule', interval: '6h' }, run: { prompt: 'x' } };
      expect(await ops.triggers.validate('demo', wish, 'b')).toMatchObject({
        value: {
          ...{ valid: true, issues: [], edit: null },
          warnings: [
            { path: '', message: expect.stringMatching(/^cannot be stored now: project.yaml/) },
            { line: expect.any(Number) },
          ],
        },
      });
      const without = await ops.triggers.validate('demo', wish);
      expect(without.ok && 'edit' in without.value).toBe(false);
    }));
});
