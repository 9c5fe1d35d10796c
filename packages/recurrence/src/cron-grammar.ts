import { quoted } from '@svc/core';
import { CRON_FIELDS, type CronField } from './cron-fields.ts';
import {
  backwardsHint,
  fieldCountHint,
  macroHint,
  malformedHint,
  stepHint,
  valueHint,
} from './cron-hints.ts';

export const MAX_CRON_LENGTH = 256;

/** One element of a field's list: the values `from`, `from + step`, ... up to `to`. */
export interface CronElement {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** One field, read: its elements, and whether its text begins with `*`. */
export interface CronFieldReading {
  readonly field: CronField;
  readonly elements: readonly CronElement[];
  readonly star: boolean;
}

export type CronReading =
  | { readonly ok: true; readonly fields: readonly CronFieldReading[] }
  | { readonly ok: false; readonly messages: readonly string[] };

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

const MACROS: ReadonlyMap<string, string> = new Map([
  ['@daily', '0 0 * * *'],
  // crontab(5) gives @hourly the flags of a field that begins with a star, which the hour field here does.
  ['@hourly', '0 * * * *'],
]);

/** Reads an expression in the strict grammar: five fields, or one of two macros; every faulty field is reported. */
export function readCron(text: string): CronReading {
  const fault = textFault(text);
  if (fault !== null) return { ok: false, messages: [fault] };
  const trimmed = trimBlanks(text);
  const expression = MACROS.get(trimmed) ?? trimmed;
  if (expression.startsWith('@')) return { ok: false, messages: [macroHint(trimmed)] };
  if (/^(CRON_)?TZ\s*=/i.test(expression)) {
    return {
      ok: false,
      messages: [
        'has a TZ= prefix, which is not supported; set the zone in timezone, such as timezone: Europe/Berlin',
      ],
    };
  }
  const texts = expression.split(/[ \t]+/);
  if (texts.length !== CRON_FIELDS.length) {
    return { ok: false, messages: [fieldCountHint(expression === '' ? 0 : texts.length)] };
  }
  const readings = CRON_FIELDS.map((field, index) => readField(field, texts[index] ?? ''));
  const messages = readings.flatMap((reading) => (reading.ok ? [] : [reading.message]));
  if (messages.length > 0) return { ok: false, messages };
  return { ok: true, fields: readings.flatMap((reading) => (reading.ok ? [reading.value] : [])) };
}

/** The text without spaces and tabs at either end. */
export function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}

function textFault(text: string): string | null {
  if (text.length > MAX_CRON_LENGTH) {
    return `has ${text.length} characters; use at most ${MAX_CRON_LENGTH}`;
  }
  const odd = /[^\x20-\x7e\t]/.exec(text)?.[0];
  if (odd === undefined) return null;
  if (odd.charCodeAt(0) < 0x80) {
    return `has the control character ${quoted(odd)}; separate the fields with spaces or tabs, on one line`;
  }
  return `has the character ${quoted(odd)}, which is not ASCII; use plain digits, letters and spaces`;
}

function readField(field: CronField, text: string): Read<CronFieldReading> {
  const elements: CronElement[] = [];
  for (const part of text.split(',')) {
    const element = readElement(field, part);
    if (!element.ok) return element;
    elements.push(element.value);
  }
  return { ok: true, value: { field, elements, star: text.startsWith('*') } };
}

function readElement(field: CronField, text: string): Read<CronElement> {
  const parts = /^(?:(\*)|([A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?)(?:\/([A-Za-z0-9]*))?$/.exec(text);
  if (parts === null || /^H(\/|$)/i.test(text)) {
    return { ok: false, message: malformedHint(field, text) };
  }
  const [, star, first, last, stepText] = parts;
  const step = readStep(field, stepText);
  if (!step.ok) return step;
  if (star !== undefined) return reach(field.min, field.max, step.value);
  const from = readValue(field, first ?? '');
  if (!from.ok) return from;
  // A single value with a step runs to the end of the field.
  const open = stepText === undefined ? from.value : field.max;
  const to = last === undefined ? { ok: true as const, value: open } : readValue(field, last);
  if (!to.ok) return to;
  if (to.value < from.value) {
    const range = { from: from.value, to: to.value };
    return { ok: false, message: backwardsHint(field, text, range) };
  }
  return reach(from.value, to.value, step.value);
}

function reach(from: number, to: number, step: number): Read<CronElement> {
  // A step that leaves the range after its first value is the same as that value alone.
  return from + step > to
    ? { ok: true, value: { from, to: from, step: 1 } }
    : { ok: true, value: { from, to, step } };
}

function readStep(field: CronField, text: string | undefined): Read<number> {
  if (text === undefined) return { ok: true, value: 1 };
  const step = /^[0-9]+$/.test(text) ? Number(text) : 0;
  return step >= 1 ? { ok: true, value: step } : { ok: false, message: stepHint(field, text) };
}

function readValue(field: CronField, text: string): Read<number> {
  const value = /^[0-9]+$/.test(text) ? Number(text) : namedValue(field, text);
  return value !== null && value >= field.min && value <= field.max
    ? { ok: true, value }
    : { ok: false, message: valueHint(field, text) };
}

function namedValue(field: CronField, text: string): number | null {
  if (text.length !== 3) return null;
  const upper = text.toUpperCase();
  const index = field.names.findIndex((name) => name.slice(0, 3) === upper);
  return index < 0 ? null : index + field.firstName;
}
