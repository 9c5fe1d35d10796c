import { describe, expect, it } from '@jest/globals';
import { parseProject } from '@svc/trigger-schema';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type Generated, projectText } from './project-text.ts';
import { putTriggerText, removeTriggerText } from './text-edits.ts';

const runs = { numRuns: 25 };

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).filter((s) => !/\p{Surrogate}/u.test(s)),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'b c',
      ' ',
      '\n',
      '\n\n',
      '\t',
      '\r\n',
      '#',
      ': ',
      '- ',
      '"',
      '|',
      '---',
    ),
    maxLength: 14,
  }),
  fc.constantFrom(
    'Say hi',
    'yes',
    'null',
    '1e3',
    '{a: 1}',
    'a: b',
    'a #b',
    '  lead',
    'trail  \n',
    '\n\n x',
  ),
);
const prompt = text.filter((s) => /\S/.test(s));

const condition = fc.oneof(
  fc.constantFrom(
    { type: 'schedule', cron: '0 9 * * *' },
    { type: 'schedule', cron: '*/5 * * * *', timezone: 'Europe/Berlin' },
    { type: 'schedule', interval: '6h' },
    { type: 'event', on: 'onArchive' },
    { type: 'webhook' },
  ),
);
const run = fc.record(
  {
    tools: fc.subarray(['Read', 'Glob', 'Grep', 'Bash', 'Edit']),
    session: fc.constantFrom('new', 'resume'),
    model: fc.constantFrom('m1', 'org/model:x'),
    maxTurns: fc.integer({ min: 1, max: 99 }),
    maxSpawnDepth: fc.integer({ min: 0, max: 3 }),
    permissionMode: fc.constantFrom('plan', 'default'),
  },
  { requiredKeys: [] },
);
const record = fc
  .tuple(
    condition,
    run,
    fc.oneof(
      prompt.map((value) => ({ prompt: value })),
      fc.constant({ promptFile: 'daily.md' }),
    ),
    fc.boolean(),
    fc.constantFrom({}, { policy: { catchUp: 'none' } }),
  )
  .map(([trigger, rest, what, enabled, policy]) => ({
    trigger,
    run: { ...what, ...rest },
    enabled,
    ...policy,
  }));

function project(source: string) {
  const parsed = parseProject(source);
  if (!parsed.ok) throw new Error(`${JSON.stringify(parsed.issues)}\n${source}`);
  return parsed.value;
}

/** The file without one entry, parsed with the YAML library only. */
function restOf(source: string, name: string): unknown {
  const all = parse(source, { merge: true }) as Record<string, Record<string, unknown> | null>;
  const triggers = { ...all['triggers'] };
  delete triggers[name];
  return { ...all, triggers };
}

/** Number of characters that two texts share at their beginning and end, without overlap. */
function shared(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return head + tail;
}

const chosen = projectText.chain((file) =>
  fc.record({ file: fc.constant(file), entry: fc.constantFrom(...file.entries) }),
);

describe('edits of a project file', () => {
  it('replacing an entry keeps every byte outside it and the meaning of everything else', () => {
    fc.assert(
      fc.property(chosen, record, ({ file, entry }, wanted) => {
        const edited = putTriggerText(file.text, entry.name, wanted);
        if (!edited.ok) throw new Error(JSON.stringify(edited.issues));
        expect(edited.value.startsWith(file.text.slice(0, entry.start))).toBe(true);
        expect(edited.value.endsWith(file.text.slice(entry.end))).toBe(true);
        expect(restOf(edited.value, entry.name)).toEqual(restOf(file.text, entry.name));
        const { triggers, invalid } = project(edited.value);
        expect(invalid.filter(({ name }) => name === entry.name)).toEqual([]);
        expect(triggers.get(entry.name)?.record).toEqual({
          ...wanted,
          run: { session: 'new', tools: [], maxTurns: 30, ...wanted.run },
        });
      }),
      runs,
    );
  });

  it('a new entry is inserted in one place and changes nothing else', () => {
    fc.assert(
      fc.property(projectText, record, (file, wanted) => {
        const edited = putTriggerText(file.text, 'brand new', wanted);
        if (!edited.ok) throw new Error(JSON.stringify(edited.issues));
        expect(shared(file.text, edited.value)).toBe(file.text.length);
        expect(restOf(edited.value, 'brand new')).toEqual(restOf(file.text, 'brand new'));
        expect(project(edited.value).triggers.get('brand new')?.record.run).toMatchObject(
          wanted.run,
        );
      }),
      runs,
    );
  });

  it('removing an entry keeps every byte outside it and the meaning of all else', () => {
    fc.assert(
      fc.property(chosen, ({ file, entry }) => {
        const edited = removeTriggerText(file.text, entry.name);
        if (!edited.ok) throw new Error(JSON.stringify(edited.issues));
        expect(edited.value.removed).toBe(true);
        const { text: left } = edited.value;
        expect(restOf(left, entry.name)).toEqual(restOf(file.text, entry.name));
        expect(project(left).written.has(entry.name)).toBe(false);
        expect([isWithoutEntry(left, file, entry), left]).toEqual([true, left]);
      }),
      runs,
    );
  });

  it('adding an entry and removing it again restores the bytes', () => {
    fc.assert(
      fc.property(projectText, record, (file, wanted) => {
        const added = putTriggerText(file.text, 'brand new', wanted);
        const removed = added.ok ? removeTriggerText(added.value, 'brand new') : added;
        if (!removed.ok) throw new Error(JSON.stringify(removed.issues));
        expect([file.text, `${file.text}\n`, `${file.text}\r\n`]).toContain(removed.value.text);
      }),
      runs,
    );
  });

  it('writing a parsed entry changes no byte', () => {
    fc.assert(
      fc.property(projectText, (file) => {
        const { triggers, written } = project(file.text);
        for (const [name, { record: read }] of triggers) {
          expect(putTriggerText(file.text, name, read)).toEqual({ ok: true, value: file.text });
          const raw = written.get(name) as object;
          expect(putTriggerText(file.text, name, raw)).toEqual({ ok: true, value: file.text });
        }
      }),
      runs,
    );
  });

  it('a second identical put changes nothing', () => {
    fc.assert(
      fc.property(chosen, record, ({ file, entry }, wanted) => {
        const once = putTriggerText(file.text, entry.name, wanted);
        if (!once.ok) throw new Error(JSON.stringify(once.issues));
        expect(putTriggerText(once.value, entry.name, wanted)).toEqual(once);
      }),
      runs,
    );
  });
});

/** Whether a text is the file without one entry. */
function isWithoutEntry(
  left: string,
  file: Generated,
  entry: Generated['entries'][number],
): boolean {
  const before = file.text.slice(0, entry.start);
  const after = file.text.slice(entry.end);
  if (left === before + after) return true;
  // In a flow map a comma is removed with the entry, and spaces next to it.
  if (file.flow) return bare(left) === bare(before + after);
  // Below a text that keeps blank lines a comment replaces the entry.
  const kept = left.startsWith(before) && left.endsWith(after);
  return kept && /^ *#\r?\n?$/.test(left.slice(before.length, left.length - after.length));
}

function bare(source: string): string {
  return source.replace(/[ \r\n,]+/g, '');
}
