import { describe, expect, it } from '@jest/globals';
import { openProject, type ProjectFile, parseProject, validateTrigger } from '@svc/trigger-schema';

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('');

const hook = (n: number): string => `  t${n}: { trigger: { type: webhook }, enabled: true }\n`;

function read(text: string): ProjectFile {
  const parsed = parseProject(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

describe('a file with too many entries', () => {
  it('runs the first 2,000 in the order of the file, and counts the others in one fault', () => {
    const timer = (n: number): string => `  s${n}: { type: interval, interval: 1h, prompt: x }\n`;
    const file = read(`schedules:\n${lines(5, timer)}triggers:\n${lines(2000, hook)}`);
    expect([file.schedules.size, file.triggers.size, file.entryCount]).toEqual([5, 1995, 2005]);
    expect([...file.beyond]).toEqual(['t1995', 't1996', 't1997', 't1998', 't1999']);
    expect(file.fileIssues).toEqual([
      expect.objectContaining({
        path: '',
        message: 'has 2005 triggers and schedules; the first 2000 run, the other 5 do not.',
      }),
    ]);
    expect(file.invalid).toEqual([]);
    expect(read(`triggers:\n${lines(2001, hook)}`).fileIssues[0]?.message).toBe(
      'has 2001 triggers and schedules; the first 2000 run, the other 1 does not.',
    );
  });

  it('allows removing an entry beyond the limit', () => {
    const project = openProject(`triggers:\n${lines(2001, hook)}`);
    const edited = project.ok ? project.value.edited({ remove: 't2000' }) : project;
    if (!edited.ok) throw new Error('refused');
    expect([edited.value.file.triggers.size, edited.value.file.fileIssues]).toEqual([2000, []]);
  });
});

describe('the report of a file is limited', () => {
  it('to 20 warnings and a count, over all its entries', () => {
    const { warnings, triggers } = read(
      `triggers:\n${lines(30, (n) => `  t${n}: { trigger: { type: webhook } }\n`)}${lines(40, (n) => `k${n}: 1\n`)}`,
    );
    const reported = [...warnings, ...[...triggers.values()].flatMap((entry) => entry.warnings)];
    expect(reported).toHaveLength(21);
    expect(warnings.at(-1)).toEqual({ path: '', message: 'has 50 more warnings.' });
  });

  it('to 20 faults of an entry and a count', () => {
    const { invalid } = read(
      `triggers:\n  a: { trigger: { type: webhook }, run: { prompt: x, tools: [${lines(100, (n) => `No${n}, `)}] } }\n`,
    );
    expect(invalid[0]?.issues).toHaveLength(21);
    expect(invalid[0]?.issues.at(-1)).toEqual({ path: '', message: 'has 80 more faults.' });
  });

  it('to a few hundred faults in total, then one per entry', () => {
    const { invalid } = read(
      `triggers:\n${lines(300, (n) => `  t${n}: { trigger: { type: webhook }, run: { prompt: x, tools: [a, b, c, d, e] } }\n`)}`,
    );
    expect(invalid).toHaveLength(300);
    expect(invalid.every(({ issues }) => issues.length > 0)).toBe(true);
    expect(invalid.at(-1)?.issues.map(({ message }) => message)).toEqual([
      '"a" is not a known tool. Known tools: Read, Glob, Grep, Edit, Write, NotebookEdit, Bash, WebFetch, WebSearch, Task, and operations of svc.',
      'has 4 more faults.',
    ]);
  });

  it('in length: names and texts of an author are truncated', () => {
    const long = 'x'.repeat(900);
    const { invalid, warnings } = read(`${long}: 1\ntriggers:\n  ${long}: { trigger: 1 }\n`);
    expect(JSON.stringify([invalid, warnings]).length).toBeLessThan(1800);
    expect(invalid[0]?.issues[0]).toMatchObject({ message: 'must have at most 128 characters.' });
  });

  it('and an entry of thousands of parts is not kept as written', () => {
    const { written } = read(
      `triggers:\n  a: { trigger: { type: webhook } }\n  b: [${lines(6000, () => '1, ')}]\n`,
    );
    expect([...written]).toEqual([
      ['a', { trigger: { type: 'webhook' } }],
      ['b', undefined],
    ]);
  });
});

it('more than 10,000 aliases are refused, 10,000 are accepted', () => {
  const text = (count: number): string => `a: &a 1\nb:\n${lines(count, () => '  - *a\n')}`;
  expect(parseProject(text(10_000)).ok).toBe(true);
  expect(parseProject(text(10_001))).toMatchObject({
    ok: false,
    issues: [{ path: '', message: 'has more than 10000 aliases; use the values themselves.' }],
  });
});

it('a record of a hundred unknown fields is refused in one sentence', () => {
  const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, 1]));
  const record = { trigger: { type: 'webhook' }, run: { prompt: 'x', ...unknown } };
  expect(validateTrigger(record, { unknownKeys: 'refuse-misspelt' })).toMatchObject({
    ok: false,
    issues: [{ path: 'run', message: 'has 100 fields that are not known; leave them out.' }],
  });
  const kept = validateTrigger(record);
  expect([kept.ok, kept.warnings.length, kept.warnings.at(-1)?.message]).toEqual([
    true,
    21,
    'has 80 more warnings.',
  ]);
});
