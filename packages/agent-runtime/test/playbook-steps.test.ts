import { describe, expect, it } from '@jest/globals';
import { parsePlaybook } from '@svc/agent-runtime';
import fc from 'fast-check';

const command = (text: string) => ({ name: 'Bash', input: { command: text }, fault: null });
const file = (path: string, content: string) => ({
  name: 'Write',
  input: { file_path: path, content },
  fault: null,
});

describe('a prompt parsed as a playbook', () => {
  it('returns steps with the text before them, and the text after the last', () => {
    const prompt = [
      '# Nightly report',
      '',
      'First look around.',
      '',
      '```bash',
      'git log -1',
      'ls',
      '```',
      '',
      'Then note it.',
      '~~~ write notes/my day.md',
      'It ran.',
      '~~~',
      '```tool Read',
      '{ "file_path": "notes/my day.md" }',
      '```',
      '',
      'Done.',
      '',
    ].join('\n');
    expect(parsePlaybook(prompt)).toEqual({
      steps: [
        { line: 5, text: '# Nightly report\n\nFirst look around.', ...command('git log -1\nls') },
        { line: 11, text: 'Then note it.', ...file('notes/my day.md', 'It ran.\n') },
        {
          line: 14,
          text: null,
          name: 'Read',
          input: { file_path: 'notes/my day.md' },
          fault: null,
        },
      ],
      closing: 'Done.',
    });
  });

  it.each([
    ['a bash block', '```bash\nls\n```', command('ls')],
    ['a sh block', '```sh\nls\n```', command('ls')],
    ['a block between tildes', '~~~sh\nls\n~~~', command('ls')],
    ['blanks around the info string', '```   bash  \nls\n```', command('ls')],
    ['a longer fence around a shorter one', '````bash\n```\n````', command('```')],
    ['a closing fence that is longer', '```bash\nls\n`````', command('ls')],
    ['another character inside', '```bash\n~~~\n```', command('~~~')],
    ['a closing fence with words is no closing fence', '```bash\n``` x\n```', command('``` x')],
    ['an indented fence', '   ```bash\n   ls\n     pwd\n  ls\n ```', command('ls\n  pwd\nls')],
    ['Windows line ends', '```bash\r\nls\r\npwd\r\n```\r\n', command('ls\npwd')],
    ['an empty command', '```bash\n```', command('')],
    ['a file', '```write a.md\nx\n\ny\n```', file('a.md', 'x\n\ny\n')],
    ['an empty file', '```write a.md\n```', file('a.md', '')],
    ['a file of one empty line', '```write a.md\n\n```', file('a.md', '\n')],
    ['a tool without input', '```tool Glob\n```', { name: 'Glob', input: {}, fault: null }],
    [
      'an operation',
      '```tool mcp__svc_manage__list_triggers\n{}\n```',
      { name: 'mcp__svc_manage__list_triggers', input: {}, fault: null },
    ],
    ['a tilde fence with backticks in its info', '~~~write `a`\n~~~', file('`a`', '')],
  ])('knows %s', (_, prompt, step) => {
    expect(parsePlaybook(prompt).steps).toEqual([{ line: 1, text: null, ...step }]);
  });

  it.each([
    ['free text', 'Please tidy up.'],
    ['a block in another language', '```js\nrun()\n```'],
    ['a block without a language', '```\nls\n```'],
    ['a language that only starts alike', '```bash-session\n$ ls\n```'],
    ['a language in capitals', '```BASH\nls\n```'],
    ['a language with more words', '```bash no-run\nls\n```'],
    ['four spaces of indentation', '    ```bash\n    ls\n    ```'],
    ['a tab of indentation', '\t```bash\n\tls\n\t```'],
    ['a quoted block', '> ```bash\n> ls\n> ```'],
    ['two backticks', '``bash\nls\n``'],
    ['backticks in the info of a backtick fence', '``` bash `x`\nls'],
    ['a step in another block', '````md\n```bash\nls\n```\n````'],
    ['a step in an HTML comment', '<!--\n```bash\nls\n```\n-->'],
    ['a step in preformatted HTML', '<pre>\n```bash\nls\n```\n</pre>'],
    ['nothing', ''],
  ])('sees no step in %s', (_, prompt) => {
    const { steps, closing } = parsePlaybook(prompt);
    expect(steps).toEqual([]);
    expect(closing).toBe(prompt);
  });

  it.each([
    ['a block that is never closed', '```bash\nls\n', 'Bash', /line 1 is not closed.*backticks/],
    ['one between tildes', '~~~write a\nls\n', 'Write', /not closed.*tildes/],
    ['JSON that is broken', '```tool Read\n{ file_path: 1 }\n```', 'Read', /not a JSON object/],
    ['JSON that is a list', '```tool Read\n[]\n```', 'Read', /not a JSON object/],
    ['JSON that is null', '```tool Read\nnull\n```', 'Read', /not a JSON object/],
    [
      'JSON that is nested 100,000 deep',
      `\`\`\`tool Read\n${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n\`\`\``,
      'Read',
      /^The input of Read on line 1 is nested deeper than 64 levels\.$/,
    ],
    [
      'JSON that is nested too deep and broken',
      `\`\`\`tool Read\n${'['.repeat(101)}\n\`\`\``,
      'Read',
      /nested deeper than 64 levels/,
    ],
    ['a tool without a name', '```tool\n{}\n```', 'tool', /names no tool/],
    ['a name with blanks', '```tool Read it\n{}\n```', 'tool', /names no tool/],
    ['a file without a path', '```write\nx\n```', 'Write', /names no file/],
  ])('finds the fault of %s', (_, prompt, name, fault) => {
    expect(parsePlaybook(prompt).steps).toEqual([
      { line: 1, text: null, name, input: expect.anything(), fault: expect.stringMatching(fault) },
    ]);
  });

  it('accepts JSON that is nested 64 levels deep, and brackets in strings', () => {
    const input = JSON.parse(
      `{"a":${'['.repeat(63)}"[\\"[{"${']'.repeat(63)}, "b": "${'['.repeat(200)}"}`,
    );
    const { steps } = parsePlaybook(`\`\`\`tool Read\n${JSON.stringify(input)}\n\`\`\``);
    expect(steps).toMatchObject([{ input, fault: null }]);
  });

  it('continues after a commented step', () => {
    const { steps } = parsePlaybook('<!-- ```bash -->\n```bash\nls\n```');
    expect(steps).toHaveLength(1);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '```',
      '~~~',
      '````',
      'bash',
      'sh',
      'write x',
      'tool Read',
      '{}',
      '<!--',
      '-->',
    ),
    fc.constantFrom('\n', '\n', '\r\n', '\r', ' ', '   ', '\t', '\0'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const prompt = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('accepts any text, and keeps every word outside steps', () => {
    fc.assert(
      fc.property(prompt, (text) => {
        const { steps, closing } = parsePlaybook(text);
        const normal = text.split(/\r\n|\n|\r/).join('\n');
        for (const step of steps) {
          expect(normal).toContain(step.text ?? '');
          expect(step.name).toMatch(/^(?:Bash|Write|tool|[A-Za-z]\w*)$/);
        }
        expect(normal).toContain(closing);
      }),
      { numRuns: 250 },
    );
  });

  it('returns a command exactly as written between long enough fences', () => {
    const lines = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 6 });
    fc.assert(
      fc.property(lines, (content) => {
        const text = content.map((line) => line.replace(/[\r\n`]/g, '')).join('\n');
        const { steps } = parsePlaybook(`\`\`\`bash\n${text}\n\`\`\``);
        expect(steps).toEqual([{ line: 1, text: null, ...command(text) }]);
      }),
      { numRuns: 100 },
    );
  });

  it('takes time proportional to the prompt', () => {
    for (const unit of ['```bash\n', '<!--\n', '<pre>\n', '~~~\n', '```\n`', '\n', '   ', 'a\n']) {
      const from = performance.now();
      parsePlaybook(unit.repeat(Math.ceil(262_144 / unit.length)));
      expect(performance.now() - from).toBeLessThan(20_000);
    }
  });
});
