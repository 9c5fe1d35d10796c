import { printable } from '@svc/core';
import { prettyFactory } from 'pino-pretty';

/** Makes the function that turns a JSON line into one that is easy to read: time, level, message, then `name=value`. */
export function createPrettyLines(): (line: string) => string {
  const pretty = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    customColors: 'message:reset',
    messageFormat: (log, messageKey, _levelLabel, { colors }) =>
      `${log[messageKey]}${colors.gray(fieldsText(log))}`,
  });
  return (line) => pretty(line).trimEnd();
}

const SHOWN_ALREADY = ['level', 'time', 'msg'];

function fieldsText(log: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(log).filter(
    ([name, value]) => !SHOWN_ALREADY.includes(name) && value !== null && !isEmptyList(value),
  );
  return fields.map(([name, value]) => `  ${name}=${valueText(value)}`).join('');
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = typeof value !== 'string' || /^[\w.:/@+-]+$/.test(text);
  return printable(plain ? text : JSON.stringify(text));
}
