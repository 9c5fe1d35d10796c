import { messageOf } from '@svc/core';
import type { Fault } from '../health.ts';

/** Where a database is, and as whom it is asked for. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** What its address is called by those who can correct it. */
  readonly setting: string;
}

type Kind = 'away' | 'refused' | 'no_database' | 'forbidden' | 'read_only' | 'full';

const SENTENCES: Readonly<Record<Kind, (place: string, of: ServerPlace) => string>> = {
  away: (place, { setting }) =>
    `The database ${place} does not answer: check that its server runs, and that host and port in ${setting} are right.`,
  refused: (place, { user, setting }) =>
    `The database ${place} refuses the user ${user}: correct the user or the password in ${setting}.`,
  no_database: (place, { database, setting }) =>
    `The database ${place} is missing: create ${database} there, or correct its name in ${setting}.`,
  forbidden: (place, { user }) =>
    `The database ${place} lets the user ${user} not do what svc needs: make that user its owner.`,
  read_only: (place, { setting }) =>
    `The database ${place} cannot be written: name the server in ${setting} that takes changes.`,
  full: (place) =>
    `The database ${place} has no room or no connection left: give its server more of what it lacks.`,
};

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const BY_STATE: Readonly<Record<string, Kind>> = {
  '3D000': 'no_database',
  '42501': 'forbidden',
  '25006': 'read_only',
  '25P03': 'away',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P05': 'away',
};
const BY_CLASS: Readonly<Record<string, Kind>> = { '08': 'away', '28': 'refused', '53': 'full' };

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOENT',
]);

// What the driver throws without any code.
const CUT_OFF =
  /connection terminated|timeout|client has encountered a connection error|not queryable/i;

/** What is wrong with a server, or with the way to it, which is whatever keeps it from being connected to; null for any other error. */
export function faultOfServer(
  error: unknown,
  place: ServerPlace,
  isConnecting: boolean,
): Fault | null {
  const kind = kindOf(error) ?? (isConnecting ? 'away' : null);
  if (kind === null) return null;
  const { host, port, database } = place;
  const sentence = SENTENCES[kind](`${database} on ${host}:${port}`, place);
  return { kind, sentence };
}

// A server that asks for a password, where there is none to be given.
const NO_PASSWORD = /^SASL: .*password/i;

function kindInWords(message: string): Kind | null {
  if (NO_PASSWORD.test(message)) return 'refused';
  return CUT_OFF.test(message) ? 'away' : null;
}

function kindOf(error: unknown): Kind | null {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code !== 'string') return kindInWords(messageOf(error));
  if (NETWORK.has(code)) return 'away';
  return BY_STATE[code] ?? BY_CLASS[code.slice(0, 2)] ?? null;
}
