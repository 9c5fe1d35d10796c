import { printable } from '@svc/core';
import { prettyFactory } from 'pino-pretty';

/**
 * Creates a function that formats a JSON log line for people: time, level, message, then `name=value`. The result has no line
 * break, and all characters except the color sequences are printable.
 */
export function createPrettyLines(): (line: string) => string {
  const pretty = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    customColors: 'message:reset',
    messageFormat: (log, _messageKey, _levelLabel, { colors }) =>
      `${log['msg']}${colors.gray(`${log['fields']}`)}`,
  });
  return (line) => {
    const log = JSON.parse(line) as Record<string, unknown>;
    // pino-pretty formats some fields in its own way, such as `name`, so all fields are passed as text.
    const { level, time, msg } = log;
    const shown = { level, time, msg: printable(String(msg)), fields: fieldsText(log) };
    return printableButColors(pretty(shown).trimEnd());
  };
}

const ESCAPE = '\u001b';
const COLOR = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);

function printableButColors(line: string): string {
  const parts = line.split(COLOR);
  return parts.map((part, n) => (n % 2 === 1 ? part : printable(part))).join('');
}

const SHOWN_ALREADY = ['level', 'time', 'msg'];

function fieldsText(log: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(log).filter(
    ([name, value]) => !SHOWN_ALREADY.includes(name) && value !== null && !isEmptyList(value),
  );
  return fields.map(([name, value]) => `  ${printable(name)}=${valueText(value)}`).join('');
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = typeof value !== 'string' || /^[\w.:/@+-]+$/.test(text);
  return printable(plain ? text : JSON.stringify(text));
}
