import { type Checked, success } from '@svc/core';
import { type Prices, price } from './prices.ts';
import { createSettingReport, type SettingReport as Report } from './setting-report.ts';
import type { Parse } from './setting-row.ts';

/** A command that runs agents. */
export interface ExternalSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly protocol: 'acp' | 'text';
  readonly model: string | null;
  /** Names of environment variables that the command gets besides those of every agent. */
  readonly env: readonly string[];
  readonly prices: Prices | null;
}

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const TAKEN: readonly string[] = ['native', 'claude', 'playbook', 'external'];
const FIELDS = ['command', 'args', 'protocol', 'model', 'env', 'prices'];
const PRICES = ['inputPerMillionUsd', 'outputPerMillionUsd'];

/** Reads a map of external runtimes by name. */
export const externals: Parse = (value) => {
  const { issues, unknown, report } = createSettingReport();
  if (!isMap(value)) {
    report('', 'must be a map of runtimes by name.');
    return { ok: false, issues };
  }
  const read = Object.entries(value).map(([name, one]) => [name, external(name, one, report)]);
  return issues.length > 0
    ? { ok: false, issues, unknown }
    : { ...success(Object.fromEntries(read)), unknown };
};

function external(name: string, value: unknown, report: Report): ExternalSettings | null {
  if (TAKEN.includes(name))
    report(name, 'must have another name: this one is reserved for a built-in runtime.');
  else if (!NAME.test(name)) {
    report(
      name,
      'must have a name of lower-case letters, digits, - and _, starting with a letter, at most 64 characters.',
    );
  }
  if (!isMap(value)) {
    report(name, 'must be a map with command and protocol.');
    return null;
  }
  report.unknown(name, value, FIELDS);
  const at = (field: string, message: string): null => {
    report(`${name}.${field}`, message);
    return null;
  };
  const { command, args = [], protocol, model = null, env = [], prices = null } = value;
  if (!isLine(command)) at('command', 'must be the name or path of a program.');
  if (protocol !== 'acp' && protocol !== 'text') at('protocol', 'must be acp or text.');
  if (!isListOf(args, isText)) at('args', 'must be a list of strings.');
  if (model !== null && !isLine(model)) at('model', 'must be the name of a model.');
  if (!isListOf(env, isVariable)) {
    at('env', 'must be a list of environment variable names: values must not be in the file.');
  }
  return {
    command: command as string,
    args: args as string[],
    protocol: protocol as ExternalSettings['protocol'],
    model: model as string | null,
    env: env as string[],
    prices: prices === null ? null : readPrices(`${name}.prices`, prices, report),
  };
}

function readPrices(path: string, value: unknown, report: Report): Prices | null {
  if (!isMap(value)) {
    report(path, `must be a map with ${PRICES.join(' and ')}.`);
    return null;
  }
  report.unknown(path, value, PRICES);
  const [input, output] = PRICES.map((key) => {
    const parsed: Checked<unknown> = price(value[key]);
    if (parsed.ok) return parsed.value as number;
    report(`${path}.${key}`, parsed.issues[0]?.message ?? '');
    return 0;
  });
  return { inputPerMillionUsd: input ?? 0, outputPerMillionUsd: output ?? 0 };
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\0');
const isLine = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value);
const isVariable = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value);
const isListOf = (value: unknown, is: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is);
