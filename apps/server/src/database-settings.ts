import { success } from '@svc/core';
import { type Parse, refuse } from './setting-row.ts';

/** Where the database is. */
export interface DatabaseSettings {
  /** Address of a PostgreSQL database, with its password; null: a file in the home. */
  readonly url: string | null;
  /** The setting that named it: `database.url` or `SVC_DATABASE_URL`. */
  readonly setting: string;
}

const WANTED =
  'must be a PostgreSQL address: postgres://USER:PASSWORD@HOST:5432/NAME. Percent-encode @ / ? # in the password (%40, %2F, %3F, %23).';

/** Reads the address of a PostgreSQL database with host and database name; errors do not repeat the address. */
export const databaseUrl: Parse = (value) =>
  typeof value === 'string' && isAddress(value.trim()) ? success(value.trim()) : refuse(WANTED);

// An unencoded character of a password would turn the rest of it into a visible name.
function isAddress(text: string): boolean {
  try {
    const { protocol, host, hash, pathname, searchParams, username, password } = new URL(text);
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    const isPostgres = protocol === 'postgres:' || protocol === 'postgresql:';
    const hasHost = host !== '' || (searchParams.get('host') ?? '') !== '';
    return isPostgres && hasHost && hash === '' && /^\/[^/@]+$/.test(pathname);
  } catch {
    return false;
  }
}

const SECRET_PARAMETER = /pass|secret|token/i;

/** An address with its password replaced by `***`. */
export function shownAddress(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  for (const name of secretParameters(shown)) shown.searchParams.set(name, '***');
  return shown.href;
}

/** The parts of an address that must be kept out of logs and transcripts. */
export function secretsOfAddress(url: string): readonly string[] {
  const { password, searchParams } = new URL(url);
  const found = secretParameters({ searchParams }).flatMap((name) => searchParams.getAll(name));
  return [...new Set([decodeURIComponent(password), password, ...found])].filter(
    (secret) => secret !== '',
  );
}

function secretParameters({ searchParams }: Pick<URL, 'searchParams'>): string[] {
  return [...new Set(searchParams.keys())].filter((name) => SECRET_PARAMETER.test(name));
}
