import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Message } from '../src/data/api-types.ts';
import { blocksOf, messagesOfRun } from '../src/model/transcript.ts';
import { Transcript } from '../src/views/transcript/Transcript.tsx';

afterEach(cleanup);

const message = (seq: number, facts: Partial<Message>): Message => ({
  seq,
  turnId: 't1',
  role: 'assistant',
  kind: 'text',
  text: '',
  tool: null,
  by: null,
  timestamp: `2026-03-02T03:00:${String(seq).padStart(2, '0')}.000Z`,
  ...facts,
});
const call = (seq: number, callId: string, command: string): Message =>
  message(seq, { kind: 'tool_use', tool: { callId, name: 'Bash', input: { command } } });
const result = (seq: number, callId: string, text: string, isError = false): Message =>
  message(seq, {
    role: 'tool',
    kind: 'tool_result',
    text,
    tool: { callId, name: 'Bash', isError },
  });

const LONG = `begin ${'x'.repeat(5000)} end`;
const fold = (text: string): HTMLDetailsElement =>
  screen.getByText(text, { selector: 'code' }).closest('details') as HTMLDetailsElement;

describe('a call and its result', () => {
  test('form one block, whatever comes between them', () => {
    const blocks = blocksOf([
      call(1, 'a', 'one'),
      call(2, 'b', 'two'),
      result(3, 'b', 'second'),
      result(4, 'a', 'first'),
    ]);
    expect(blocks).toMatchObject([
      { kind: 'call', input: { command: 'one' }, result: 'first' },
      { kind: 'call', input: { command: 'two' }, result: 'second' },
    ]);
  });

  test('are shown when the call is missing', () => {
    expect(blocksOf([result(3, 'a', 'first')])).toMatchObject([{ kind: 'call', result: 'first' }]);
  });

  test('are open up to 4 KiB and folded above', () => {
    render(
      <Transcript
        blocks={blocksOf([
          ...[call(1, 'a', 'short'), result(2, 'a', 'fine')],
          ...[call(3, 'b', 'long'), result(4, 'b', LONG)],
        ])}
      />,
    );
    expect([fold('short').open, fold('long').open]).toEqual([true, false]);
  });

  test('that failed are open in a run, and the others folded', () => {
    render(
      <Transcript
        isBrief
        blocks={blocksOf([
          ...[call(1, 'a', 'good'), result(2, 'a', 'fine')],
          ...[call(3, 'b', 'bad'), result(4, 'b', LONG, true)],
        ])}
      />,
    );
    expect([fold('good').open, fold('bad').open]).toEqual([false, true]);
  });

  test('that are long show their beginning until they are expanded', async () => {
    render(<Transcript blocks={blocksOf([call(1, 'a', 'long'), result(2, 'a', LONG, true)])} />);
    expect(screen.queryByText(/ end$/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show the full result (5 KiB)' }));
    screen.getByText(/ end$/);
  });
});

test('a truncated result says so, however long it is', () => {
  const mark = '[Cut: the first 5000 of 90000 bytes are shown.]';
  const blocks = [call(1, 'a', 'much'), result(2, 'a', `${LONG}\n${mark}`), call(3, 'b', 'little')];
  render(<Transcript blocks={blocksOf([...blocks, result(4, 'b', 'fine')])} />);
  const output = fold('much').textContent;
  expect(output).toContain('This result was truncated. The first 5000 of 90000 bytes are shown.');
  screen.getByText('truncated', { selector: 'summary *' });
  expect(fold('little').textContent).not.toContain('truncated');
});

const INSTRUCTIONS =
  'svc started you, unattended, in a project folder. No person is available to answer questions.\n\nBe brief.\n\nBe kind.';

test('instructions are folded, and shown word for word', () => {
  const notice = (seq: number, text: string) =>
    message(seq, { role: 'system', kind: 'notice', text });
  const first = [notice(1, 'Runs as the keeper.'), notice(2, INSTRUCTIONS)];
  const again = [notice(3, 'Runs as the keeper.'), notice(4, INSTRUCTIONS), notice(5, 'Runs.')];
  const blocks = blocksOf([...first, ...again]);
  expect(blocks.map(({ seq }) => seq)).toEqual([1, 2, 5]);
  render(<Transcript isBrief blocks={blocks} />);
  const folded = screen.getByText('Instructions').closest('details') as HTMLDetailsElement;
  expect(folded.open).toBe(false);
  expect(folded.querySelector('pre')?.textContent).toBe(INSTRUCTIONS);
});

test('the permissions of a turn are shown again only after a change', () => {
  const notice = (seq: number, text: string) =>
    message(seq, { role: 'system', kind: 'notice', text });
  const blocks = blocksOf([notice(1, 'A'), notice(2, 'A'), notice(3, 'B')]);
  expect(blocks.map(({ seq }) => seq)).toEqual([1, 3]);
});

describe('the summary of the service for a turn', () => {
  const written = (...lines: string[]): Message =>
    message(1, {
      role: 'system',
      kind: 'notice',
      text: ['It has written.', '````diff', ...lines, '````'].join('\n'),
    });
  const shown = (): (string | undefined)[][] =>
    [...screen.getByLabelText('Changed lines').children].map((line) => [
      (line as HTMLElement).dataset['sign'],
      line.textContent ?? '',
    ]);

  // proves: curator.page.diff
  test('is shown line by line, with signs, file by file', () => {
    const one = ['--- .svc/A.md', '+++ .svc/A.md', '@@ -1,2 +1,2 @@', ' a', '--- b', '+++ c'];
    const more = ['@@ -9 +9 @@', '-d', '+e\u202e', '\\ No newline at end of file'];
    const two = ['--- /dev/null', '+++ .svc/B.md', '@@ -0,0 +1,1 @@', '+```', '[Cut: the rest.]'];
    render(<Transcript blocks={blocksOf([written(...one, ...more, ...two)])} />);
    expect(shown()).toEqual([
      ['', '.svc/A.md'],
      [' ', '  a'],
      ['-', '- -- b'],
      ['+', '+ ++ c'],
      [' ', '…'],
      ['-', '- d'],
      ['+', expect.stringMatching(/^\+ e/)],
      ['', '\\ No newline at end of file'],
      ['', '.svc/B.md'],
      ['+', '+ ```'],
      ['', '[Cut: the rest.]'],
    ]);
    expect(screen.getByLabelText('Changed lines').textContent).not.toContain('\u202e');
    expect(
      (screen.getByText('It has written.').closest('details') as HTMLDetailsElement).open,
    ).toBe(true);
  });

  // proves: curator.page.diff
  test('is folded when it is long, in a run too', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `+${n}`);
    render(<Transcript isBrief blocks={blocksOf([written('@@ -0,0 +1,40 @@', ...lines)])} />);
    expect(
      (screen.getByText('It has written.').closest('details') as HTMLDetailsElement).open,
    ).toBe(false);
  });
});

describe('the messages of a run', () => {
  const asked = (seq: number, turnId: string, by: string | null) =>
    message(seq, { role: 'user', text: 'Look.', turnId, by });
  const all = [asked(1, 't1', null), asked(5, 't2', 'user'), asked(6, 't3', null)];
  const run = { claimedAt: '2026-03-02T03:00:04.000Z', by: null, turnId: null };

  test('are those of its turn when the service names it', () => {
    expect(messagesOfRun({ ...run, turnId: 't2' }, all, true)).toEqual([all[1]]);
  });

  test('are otherwise those of the first turn of its kind since it was claimed', () => {
    expect(messagesOfRun(run, all, true)).toEqual([all[2]]);
  });

  test('are unknown while older ones may belong to it', () => {
    expect(messagesOfRun(run, all.slice(1), false)).toBeNull();
    expect(messagesOfRun(run, all, false)).toEqual([all[2]]);
  });
});

// proves: events.data.page
test('the event that started a turn is described in words, and its raw data is folded', async () => {
  const banner = message(1, {
    role: 'system',
    kind: 'notice',
    text: 'Runs as an agent.\nTools: Read.',
  });
  const json = '{\n  "event": "onArchive",\n  "name": "\\u003cb\\u003e **no**"\n}';
  const eventNotice = (seq: number): Message =>
    message(seq, {
      role: 'system',
      kind: 'notice',
      text: `Fired by the event onArchive.\n${json}`,
    });
  const blocks = blocksOf([
    banner,
    eventNotice(2),
    { ...banner, seq: 3, turnId: 't2' },
    eventNotice(4),
  ]);
  expect(blocks.map(({ seq }) => seq)).toEqual([1, 2, 4]);
  const { container } = render(<Transcript isBrief blocks={blocks} />);
  const [summary] = screen.getAllByText('Fired by the event onArchive.', { selector: 'summary' });
  const folded = summary?.closest('details') as HTMLDetailsElement;
  expect(folded.open).toBe(false);
  expect(folded.querySelector('pre')?.textContent).toBe(json);
  expect(container.querySelector('b, strong')).toBeNull();
});

test('a notice that only looks like data is shown line by line', () => {
  const text = 'Runs as an agent.\n{ not data';
  render(<Transcript blocks={blocksOf([message(1, { role: 'system', kind: 'notice', text })])} />);
  expect(screen.getByText('{ not data', { selector: 'li' })).toBeTruthy();
});
