import { jsonExcess } from '@svc/agent-runtime';
import { isRecord } from '@svc/core';
import { BackupError } from './errors.ts';
import type { LeftOut } from './left-out.ts';

/** The backup format that this version writes, and the newest that it reads. */
const FORMAT = 1;
/** The last file of a backup: a backup without it is truncated. */
export const MANIFEST = 'manifest.json';
export const CONFIG = 'svc.config.yaml';
export const DATABASE = 'data/svc.db';
/** Staging folder of a restore; while it exists, the home is not used. */
export const STAGED_FOLDER = '.svc-restore';

/** A file of a backup. */
export interface BackedUpFile {
  /** Path in a home, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Location of the database of a home: `file` if it is in the backup, `postgres` on a server, `none` if there is no
 * database.
 */
export type DatabasePlace = 'file' | 'postgres' | 'none';

/** The description of a backup. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Version of svc that wrote it. */
  readonly svc: string;
  /** Time of the database snapshot, UTC ISO text. */
  readonly createdAt: string;
  readonly database: DatabasePlace;
  /** Name of the newest migration step of the database; null if it is not in the backup. */
  readonly schema: string | null;
  /** Names of environment variables in the files. */
  readonly variables: readonly string[];
  readonly files: readonly BackedUpFile[];
  /** Files of the home that belong in a backup but were left out; absent in backups of earlier versions. */
  readonly leftOut?: readonly LeftOut[];
}

/** Creates the manifest of a backup. */
export function manifestOf(parts: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...parts };
}

/**
 * Parses a manifest.
 *
 * @throws BackupError if it is invalid, or of a later format
 */
export function parseManifest(text: string, file: string): Manifest {
  const value = parsed(text);
  if (!isRecord(value) || typeof value['format'] !== 'number') throw noBackup(file);
  if (value['format'] > FORMAT) {
    const version = typeof value['svc'] === 'string' ? ` (svc ${value['svc']})` : '';
    throw new BackupError(
      'invalid_backup',
      `${file} was written by a newer version of svc${version}. Restore it with that version.`,
    );
  }
  if (!isManifest(value)) throw noBackup(file);
  return value;
}

/** The error for a file that `svc backup` did not write. */
export function noBackup(file: string): BackupError {
  return new BackupError('invalid_backup', `${file} is not an svc backup, or it is damaged.`);
}

// More than the largest manifest needs, and few enough to be held in memory.
const MAX_PARTS = 1_500_000;
const MAX_LEVELS = 4;

function parsed(text: string): unknown {
  if (jsonExcess(text, MAX_LEVELS, MAX_PARTS) !== null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const PLACES: readonly unknown[] = ['file', 'postgres', 'none'] satisfies DatabasePlace[];

function isManifest(value: object): value is Manifest {
  const { svc, createdAt, database, schema, variables, files, leftOut } = value as Partial<
    Record<keyof Manifest, unknown>
  >;
  const isDated = typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt));
  const isStated = PLACES.includes(database) && (schema === null || typeof schema === 'string');
  const hasNames = Array.isArray(variables) && variables.every((name) => typeof name === 'string');
  const hasFiles = Array.isArray(files) && files.every(isFile);
  const saysLeftOut = leftOut === undefined || (Array.isArray(leftOut) && leftOut.every(isLeftOut));
  return typeof svc === 'string' && isDated && isStated && hasNames && hasFiles && saysLeftOut;
}

function isLeftOut(value: unknown): boolean {
  return (
    isRecord(value) && typeof value['path'] === 'string' && typeof value['reason'] === 'string'
  );
}

function isFile(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { path, bytes, sha256 } = value;
  return typeof path === 'string' && Number.isSafeInteger(bytes) && typeof sha256 === 'string';
}

const SLUG = '[A-Za-z0-9_][A-Za-z0-9._-]{0,63}';
const PLACE_OF_FILES = [
  /^svc\.config\.yaml$/,
  /^data\/svc\.db$/,
  new RegExp(`^data/last-good/${SLUG}\\.yaml$`),
  new RegExp(`^projects/${SLUG}/project\\.yaml$`),
  new RegExp(`^projects/${SLUG}/\\.svc/[^\\\\\\p{Cc}]+$`, 'u'),
];

/** Whether a path is allowed in a backup: it must not leave the folder for files of its kind. */
export function isPlaced(path: string): boolean {
  const hasPlainNames = path.split('/').every((name) => !['', '.', '..'].includes(name));
  return hasPlainNames && PLACE_OF_FILES.some((place) => place.test(path));
}
