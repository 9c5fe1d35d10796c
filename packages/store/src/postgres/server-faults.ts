import { messageOf } from '@svc/core';
import type { Fault } from '../database/health.ts';

/** Address of a database, and the user. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Name of the setting with the address. */
  readonly setting: string;
}

type Away =
  | 'silent'
  | 'no_server'
  | 'unknown_host'
  | 'no_way'
  | 'no_tls'
  | 'untrusted'
  | 'not_up'
  | 'cut_off'
  | 'not_connected';
type Kind =
  | Away
  | 'refused'
  | 'not_let_in'
  | 'no_database'
  | 'forbidden'
  | 'read_only'
  | 'full'
  | 'no_memory'
  | 'no_connection'
  | 'limit';

interface Details extends ServerPlace {
  /** Database and address. */
  readonly place: string;
  /** Message of the driver. */
  readonly said: string;
}

const AWAY: Readonly<Record<Away, (of: Details) => string>> = {
  silent: ({ place }) => `The database ${place} does not respond. Check its server and firewalls.`,
  no_server: ({ place, setting }) =>
    `The database ${place} refuses connections. Start its server, or correct host and port in ${setting}.`,
  unknown_host: ({ place, host, setting }) =>
    `The database ${place} cannot be reached: unknown host ${host}. Correct the host in ${setting}.`,
  no_way: ({ place, host, setting }) =>
    `The database ${place} cannot be reached: no route to ${host}. Check the network, and the host in ${setting}.`,
  no_tls: ({ place, setting }) =>
    `The database ${place} does not support TLS, which sslmode in ${setting} requires. Enable TLS there, or set sslmode=disable.`,
  untrusted: ({ place, said, setting }) =>
    `The certificate of the database ${place} is not trusted (${said}). Set its CA with sslrootcert in ${setting}, or in NODE_EXTRA_CA_CERTS.`,
  not_up: ({ place }) =>
    `The server of the database ${place} is starting or stopping. svc continues once it is up.`,
  cut_off: ({ place }) => `The connection to the database ${place} was lost. Try again.`,
  not_connected: ({ place, said, setting }) =>
    `Cannot connect to the database ${place} (${said}). Check ${setting} and its server.`,
};

const SENTENCES: Readonly<Record<Kind, (of: Details) => string>> = {
  ...AWAY,
  refused: ({ place, user, setting }) =>
    `The database ${place} rejected the user ${user}. Correct the user or the password in ${setting}.`,
  not_let_in: ({ place, user, setting }) =>
    `The database ${place} does not accept the user ${user} from this host. Allow it in pg_hba.conf of its server; if TLS is required, set sslmode=verify-full in ${setting}.`,
  no_database: ({ place, database, setting }) =>
    `The database ${place} does not exist. Create ${database} there, or correct its name in ${setting}.`,
  forbidden: ({ place, user }) =>
    `The user ${user} lacks permissions that svc needs on the database ${place}. Make this user its owner.`,
  read_only: ({ place, setting }) =>
    `The database ${place} is read-only. Set ${setting} to the primary server.`,
  full: ({ place }) =>
    `The disk of the database ${place} is full. Free some space on its server; svc recovers automatically.`,
  no_memory: ({ place }) =>
    `The server of the database ${place} is out of memory. Add memory or lower its memory settings.`,
  no_connection: ({ place, said }) =>
    `The database ${place} accepts no more connections (${said}). Raise max_connections of its server, or the limit of the user or the database.`,
  limit: ({ place, said }) =>
    `The database ${place} reached a limit of its server (${said}). Raise that limit.`,
};

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const BY_STATE: Readonly<Record<string, Kind>> = {
  '3D000': 'no_database',
  '42501': 'forbidden',
  '25006': 'read_only',
  '25P03': 'cut_off',
  '53100': 'full',
  '53200': 'no_memory',
  '53300': 'no_connection',
  '57P01': 'not_up',
  '57P02': 'not_up',
  '57P03': 'not_up',
  '57P05': 'cut_off',
};
const BY_CLASS: Readonly<Record<string, Kind>> = {
  '08': 'cut_off',
  '28': 'refused',
  '53': 'limit',
};

const BY_CODE: Readonly<Record<string, Kind>> = {
  ECONNREFUSED: 'no_server',
  ENOENT: 'no_server',
  ECONNRESET: 'cut_off',
  EPIPE: 'cut_off',
  ETIMEDOUT: 'silent',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  EHOSTUNREACH: 'no_way',
  ENETUNREACH: 'no_way',
  EHOSTDOWN: 'no_way',
  ERR_TLS_CERT_ALTNAME_INVALID: 'untrusted',
};

// OpenSSL codes for invalid certificate chains.
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

// Errors that the driver throws without a code.
const BY_WORDS: readonly (readonly [RegExp, Kind])[] = [
  [/does not support SSL|establishing an SSL connection/i, 'no_tls'],
  // The server asks for a password, and none is configured.
  [/^SASL: .*password/i, 'refused'],
  [/timeout/i, 'silent'],
  [/connection terminated|client has encountered a connection error|not queryable/i, 'cut_off'],
];

/**
 * The problem behind an error of the server or the network, including anything that prevents a connection; null for
 * other errors.
 */
export function faultOfServer(
  error: unknown,
  place: ServerPlace,
  isConnecting: boolean,
): Fault | null {
  const kind = kindOf(error) ?? (isConnecting ? 'not_connected' : null);
  return kind === null ? null : faultOf(kind, place, messageOf(error));
}

/** The problem of a server that does not respond at all. */
export function silenceOf(place: ServerPlace): Fault {
  return faultOf('silent', place, '');
}

function faultOf(kind: Kind, of: ServerPlace, said: string): Fault {
  const { host, port, database } = of;
  const place = `${database} on ${host}:${port}`;
  const sentence = SENTENCES[kind]({ ...of, place, said: said.replace(/\.$/, '') });
  return { kind, sentence, isAway: kind in AWAY };
}

function kindOf(error: unknown): Kind | null {
  const code = codeOf(error);
  if (code === null) {
    const said = messageOf(error);
    return BY_WORDS.find(([words]) => words.test(said))?.[1] ?? null;
  }
  if (CERTIFICATE.test(code)) return 'untrusted';
  if (code === '28000' && messageOf(error).includes('pg_hba.conf')) return 'not_let_in';
  return BY_CODE[code] ?? BY_STATE[code] ?? BY_CLASS[code.slice(0, 2)] ?? null;
}

// A host with several addresses causes one error per address.
function codeOf(error: unknown): string | null {
  const { code, errors } = (error ?? {}) as { readonly code?: unknown; readonly errors?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : null;
}
