import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Checked, type Issue, SvcError, sentenceOf } from '@svc/core';

/** `env_file_unusable`: the file of secrets cannot be used. */
export class SettingsError extends SvcError<'env_file_unusable'> {}

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const OTHERS = 0o077;
const MAX_BYTES = 1024 * 1024;

/**
 * Parses `NAME=value` lines. Blank lines and lines that start with `#` are ignored, a leading `export ` is allowed, and
 * a value may be in single or double quotes, which preserve it. Outside quotes, ` #` starts a comment. The later of two
 * lines with one name counts. Issues never contain a value.
 */
export function parseEnvFile(text: string): Checked<Variables> {
  const variables = new Map<string, string>();
  const issues: Issue[] = [];
  text.split(/\r\n|\n|\r/).forEach((raw, n) => {
    const line = raw.replace(/^\uFEFF/, '').trim();
    if (line === '' || line.startsWith('#')) return;
    const [, name = '', given = ''] = /^(?:export\s+)?([^=\s]*)\s*=(.*)$/.exec(line) ?? [];
    const value = readValue(given.trim());
    if (NAME.test(name) && value !== null) variables.set(name, value);
    else
      issues.push({ path: '', line: n + 1, message: 'must be NAME=value with balanced quotes.' });
  });
  return issues.length > 0
    ? { ok: false, issues }
    : { ok: true, value: Object.fromEntries(variables) };
}

function readValue(given: string): string | null {
  const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(given);
  if (quoted) return quoted[2] ?? '';
  return /^["']/.test(given) ? null : given.replace(/(^|\s)#.*$/, '').trim();
}

/**
 * Reads a file of secrets that only its owner may access.
 *
 * @throws SettingsError `env_file_unusable` if it is missing, not a file, accessible to others, or invalid
 */
export async function readEnvFile(file: string): Promise<Variables> {
  const parsed = parseEnvFile(await privateText(file));
  if (parsed.ok) return parsed.value;
  const [issue] = parsed.issues as [Issue];
  throw unusable(`Invalid envFile at ${file}:${issue.line}: ${sentenceOf(issue, 'a line')}`);
}

async function privateText(file: string): Promise<string> {
  // Non-blocking, because opening a pipe would wait for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (cause: NodeJS.ErrnoException) => {
      const isMissing = cause.code === 'ENOENT';
      const why = isMissing ? 'does not exist' : `cannot be read (${cause.code})`;
      const next = isMissing ? 'create it with mode 600' : 'make it readable';
      throw unusable(`The envFile ${file} ${why}. Either ${next}, or correct envFile.`, cause);
    },
  );
  try {
    const stats = await handle.stat();
    if (!stats.isFile())
      throw unusable(`The envFile ${file} is not a regular file. Correct envFile.`);
    if ((stats.mode & OTHERS) !== 0) {
      const mode = (stats.mode & 0o777).toString(8);
      throw unusable(
        `The envFile ${file} is accessible to other users (mode ${mode}). Run chmod 600 ${quoted(file)}.`,
      );
    }
    if (stats.size > MAX_BYTES) {
      throw unusable(`The envFile ${file} is larger than 1 MiB. Shorten it, or correct envFile.`);
    }
    return utf8(file, await handle.readFile());
  } finally {
    await handle.close();
  }
}

function utf8(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusable(`The envFile ${file} is not UTF-8. Save it as UTF-8.`, cause);
  }
}

function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}

function unusable(message: string, cause?: unknown): SettingsError {
  return new SettingsError('env_file_unusable', message, cause === undefined ? {} : { cause });
}
