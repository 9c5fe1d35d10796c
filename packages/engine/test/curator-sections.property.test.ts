import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CuratorSection, parseSections } from '../src/curator/curator-sections.ts';

const OVERVIEW = '<!-- file: OVERVIEW.md -->';
const CHANGELOG = '<!-- file: CHANGELOG.md -->';
const END = '<!-- end -->';

function sectionsOf(answer: string): readonly CuratorSection[] {
  const parsed = parseSections(answer);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

const faultOf = (answer: string): string | null => {
  const parsed = parseSections(answer);
  return parsed.ok ? null : parsed.error;
};

const isMarker = (line: string): boolean => /^<!--[ \t]*(file:.*|end[ \t]*)-->$/.test(line.trim());
const file = fc.constantFrom('OVERVIEW.md', 'CHANGELOG.md');
const freeLine = fc
  .oneof(fc.string(), fc.constantFrom('', '# Title', '```', '~~~~', '<!-- note -->', `x ${END}`))
  .filter((line) => !line.includes('\n') && !isMarker(line));
const body = fc.array(freeLine).map((lines) => lines.map((line) => `${line}\n`).join(''));
const aside = fc
  .array(freeLine.filter((line) => !/^\s*(`{3}|~{3})/.test(line)))
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

describe('the sections of an answer', () => {
  // proves: curator.sections.exact
  it('are exactly the text between their markers, whatever stands around them', () => {
    const sections = fc.uniqueArray(fc.record({ file, text: body }), {
      selector: (section) => section.file,
      maxLength: 2,
    });
    fc.assert(
      fc.property(sections, aside, fc.constantFrom('\n', '\r\n', '  \n'), (wanted, other, eol) => {
        const parts = wanted.map(
          (section) => `${other}<!-- file: ${section.file} -->${eol}${section.text}${END}${eol}`,
        );
        expect(sectionsOf(parts.join('') + other)).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });

  // proves: curator.sections.exact
  it('of whatever lines are a fault, or what stands between lines that are markers', () => {
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(OVERVIEW, CHANGELOG, END, ` ${END}\t`) },
      { weight: 1, arbitrary: fc.constantFrom('<!-- file: X.md -->', '```', '~~~', '````md') },
      { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const answer = lines.join('\n');
        const parsed = parseSections(answer);
        if (!parsed.ok) {
          expect(parsed.error).toMatch(/\bline \d+\b/);
          return;
        }
        let from = 0;
        for (const section of parsed.value) {
          const begin = answer.indexOf(`<!-- file: ${section.file} -->\n${section.text}`, from);
          expect(begin).toBeGreaterThanOrEqual(from);
          expect(section.text.split('\n').some(isMarker)).toBe(false);
          from = begin + section.file.length + section.text.length;
        }
        expect(new Set(parsed.value.map((section) => section.file)).size).toBe(parsed.value.length);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['none where there is no marker', 'Nothing to tell.', []],
    ['not what is in fenced code', `\`\`\`md\n${OVERVIEW}\nx\n${END}\n\`\`\`\n`, []],
    ['not what follows a fence without its end', `~~~\n\`\`\`\n~~\n${OVERVIEW}\nx\n${END}`, []],
    [
      'those after a fence that has ended',
      `\`\`\`\nx\n\`\`\`\`\n${OVERVIEW}\ny\n${END}`,
      [{ file: 'OVERVIEW.md', text: 'y\n' }],
    ],
    [
      'ended by a marker in a fence that they hold',
      `${OVERVIEW}\n\`\`\`\n${END}\nlater`,
      [{ file: 'OVERVIEW.md', text: '```\n' }],
    ],
    [
      'empty where nothing stands between',
      `${CHANGELOG}\n${END}`,
      [{ file: 'CHANGELOG.md', text: '' }],
    ],
    ['not what shares its line', `Say ${OVERVIEW}\n- ${END}`, []],
  ])('are %s', (_, answer, wanted) => {
    expect(sectionsOf(answer)).toEqual(wanted);
  });

  // proves: curator.sections.faults
  it.each([
    [`a\n${OVERVIEW}\ntext`, 'The section of OVERVIEW.md that starts on line 2 has no end.'],
    [
      `${OVERVIEW}\n${CHANGELOG}\n${END}`,
      'A section starts on line 2 inside the section of OVERVIEW.md.',
    ],
    [
      `${OVERVIEW}\n<!-- file: x -->\n${END}`,
      'A section starts on line 2 inside the section of OVERVIEW.md.',
    ],
    [
      `<!-- file: README.md -->\n${END}`,
      'The section on line 1 is for "README.md"; it must be OVERVIEW.md or CHANGELOG.md.',
    ],
    [
      `<!-- file: ../OVERVIEW.md -->\n${END}`,
      'The section on line 1 is for "../OVERVIEW.md"; it must be OVERVIEW.md or CHANGELOG.md.',
    ],
    [
      `${OVERVIEW}\na\n${END}\n${OVERVIEW}\nb\n${END}`,
      'A second section of OVERVIEW.md starts on line 4.',
    ],
    [`${OVERVIEW}\na\n${END}\nb\n${END}`, 'The end on line 5 has no section to close.'],
  ])('do not count where the markers do not go together: %j', (answer, fault) => {
    expect(faultOf(answer)).toBe(fault);
  });
});
