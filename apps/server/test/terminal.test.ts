import { describe, expect, it } from '@jest/globals';
import { plainTerminal } from '@svc/cli';
import { createLogger } from '../src/log.ts';

const written = (): {
  readonly lines: string[];
  readonly terminal: ReturnType<typeof plainTerminal>;
} => {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const raw = { isTerminal: false, columns: null, hasColors: false };
  return { lines, terminal: plainTerminal({ ...raw, out: add, error: add, colored: add }) };
};

describe('the output of the log', () => {
  const KEYS = ['a\n<0>forged', 'a\n::error file=x::forged', '\u001b[31mred', 'a ##[error]owned'];
  const logged = async (format: 'json' | 'pretty', isJournal = false): Promise<string[]> => {
    const { lines, terminal } = written();
    const seen = { ...terminal, isJournal };
    const open = () => ({ write: (text: string) => void lines.push(text) });
    const tail = { add() {} };
    const logger = await createLogger({ level: 'info', format }, seen, tail, open);
    for (const name of KEYS) logger.info({ name, pid: name, hostname: name }, 'trigger armed');
    expect(lines).toHaveLength(KEYS.length);
    return lines;
  };

  // proves: commands.output.plain
  it.each([false, true])('is one plain line per event for human readers: journal %s', (is) =>
    logged('pretty', is).then((lines) => {
      for (const line of lines) {
        const plain = line.replace(/\p{Cc}\[(?:0|[349]\d)m/gu, '');
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}]|##\[/u);
        expect(plain).toMatch(/ INFO: trigger armed {2}name=.* {2}pid=.* {2}hostname=/);
      }
      expect(lines.join('\n')).not.toContain('\u001b[31mred');
    }),
  );

  // proves: commands.output.plain
  it('is JSON of the same value without commands for a CI system', async () => {
    const lines = await logged('json');
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}]+\n$/u);
    expect(lines.join('')).not.toContain('##[');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(KEYS);
  });
});
