import { describe, expect, it } from '@jest/globals';
import { type NewTrigger, openProject, parseProject } from '@svc/trigger-schema';
import fc from 'fast-check';

const record = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'Do it.' } };
const one = (name: string, ...comment: string[]): NewTrigger => ({ name, record, comment });

function added(text: string, ...add: readonly NewTrigger[]): string {
  const project = openProject(text);
  if (!project.ok) throw new Error(JSON.stringify(project.issues));
  const edited = project.value.edited({ add });
  if (!edited.ok) throw new Error(JSON.stringify(edited.issues));
  return edited.value.text;
}

const WRITTEN = (name: string) => `  ${name}:
    trigger:
      type: schedule
      interval: 1h
    run:
      prompt: Do it.
    enabled: false
`;

describe('adding triggers', () => {
  it('writes each below the others, with its comments above it', () => {
    expect(added('name: Demo\n', one('a', 'From here.', 'And there.'), one('b', 'Later.'))).toBe(
      `name: Demo\ntriggers:\n  # From here.\n  # And there.\n${WRITTEN('a')}\n  # Later.\n${WRITTEN('b')}`,
    );
  });

  it('keeps every existing byte', () => {
    const text = `# Mine.\ntriggers:\n  old: {enabled: false} # here\n\n# The end.\nname: Demo\n`;
    const now = added(text, one('a', 'New.'));
    expect(now).toBe(
      `# Mine.\ntriggers:\n  old: {enabled: false} # here\n\n  # New.\n${WRITTEN('a')}\n# The end.\nname: Demo\n`,
    );
  });

  it('omits comments where they are not possible', () => {
    const now = added('triggers: { old: { enabled: false } }\n', one('a', 'New.'));
    expect(now).not.toContain('New.');
    expect(parseProject(now)).toMatchObject({ ok: true, value: { entryCount: 2 } });
  });

  it('adds hundreds with few reads of the file, in a flow map too', () => {
    const all = Array.from({ length: 300 }, (_, n) => one(`t${n}`, `Number ${n}.`));
    let reads = 0;
    const project = openProject('triggers:\n  z: {}\n', {}, () => {
      reads += 1;
    });
    const edited = project.ok && project.value.edited({ add: all });
    expect(edited).toMatchObject({ ok: true, value: { file: { entryCount: 301 } } });
    expect(reads).toBeLessThan(10);
    const flow = parseProject(added('triggers: { z: {} }\n', ...all.slice(0, 70)));
    expect(flow).toMatchObject({ ok: true, value: { entryCount: 71 } });
  });

  it('refuses a name that exists or is given twice, and changes nothing', () => {
    for (const [text, ...names] of [
      ['triggers: { a: {} }\n', 'b', 'a'],
      ['', 'a', 'a'],
    ]) {
      const project = openProject(text ?? '');
      const edited = project.ok && project.value.edited({ add: names.map((name) => one(name)) });
      expect(edited).toMatchObject({ ok: false, issues: [{ path: 'triggers.a' }] });
    }
  });

  it('is valid whatever the comments contain', () => {
    const texts = [
      '',
      '# Nothing.\n',
      'name: x',
      'triggers:\n  z: {}\n',
      'triggers:\r\n  z:\r\n    run:\r\n      prompt: |+\r\n        x\r\n\r\n',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
        (text, comment) => {
          const now = added(text, one('a', ...comment), one('b', ...comment));
          const before = parseProject(text);
          const after = parseProject(now);
          if (!after.ok || !before.ok) throw new Error('It cannot be read.');
          expect(after.value.invalid).toEqual(
            before.value.invalid.map((old) => expect.objectContaining({ name: old.name })),
          );
          expect([...after.value.triggers.keys()]).toEqual(['a', 'b']);
          expect(after.value.written.get('z')).toEqual(before.value.written.get('z'));
        },
      ),
    );
  });
});
