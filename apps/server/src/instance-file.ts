import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { SvcError } from '@svc/core';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';

/** Address and secret of a running server, for programs on this machine. */
export interface InstanceFile {
  readonly url: string;
  readonly secret: string;
  readonly pid: number;
  /** SHA-256 of the certificate of the server, as `AB:CD:…`; null: plain HTTP. */
  readonly certificate: string | null;
}

/** Publishes the address of a server to other programs of this user; only the owner can read the file. */
export async function writeInstanceFile(file: string, instance: InstanceFile): Promise<void> {
  const staged = `${file}.new`;
  await rm(staged, { force: true });
  await writeFile(staged, `${JSON.stringify(instance)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(staged, file);
}

/**
 * The running server of a home; null if none runs.
 *
 * @throws ServerError `home_unusable` if another user owns the file
 */
export async function readInstanceFile(file: string): Promise<InstanceFile | null> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EACCES') return null;
    const message = `The file ${file} belongs to another user. Run the command as the user that svc serve runs as, or as root.`;
    throw new ServerError('home_unusable', message, { cause });
  });
  const instance = text === null ? null : parseInstance(text);
  return instance !== null && isAlive(instance.pid) ? instance : null;
}

/** Adds pid and address of the other process to an `in_use` error; returns other errors unchanged. */
export async function namingOwner(home: Home, error: unknown): Promise<unknown> {
  if (!(error instanceof SvcError) || error.code !== 'in_use') return error;
  const owner = await readInstanceFile(home.instanceFile);
  if (owner === null) return error;
  const { pid, url } = owner;
  return new ServerError(
    'in_use',
    `Another svc process (pid ${pid}, at ${url}) is already using the home folder ${home.root}. Stop it, or choose another home with --home.`,
    { cause: error },
  );
}

/** Removes the file if it has this secret; keeps the file of a server that started later. */
export async function removeInstanceFile(file: string, secret: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null && parseInstance(text)?.secret === secret) await rm(file, { force: true });
}

function parseInstance(text: string): InstanceFile | null {
  try {
    const { url, secret, pid, certificate } = JSON.parse(text) as Partial<InstanceFile>;
    const whole = typeof url === 'string' && typeof secret === 'string' && Number.isInteger(pid);
    return whole ? { url, secret, pid: Number(pid), certificate: certificate ?? null } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isLeftOver(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// A process that has ended keeps its pid until its parent collects it. Linux shows this state in /proc.
function isLeftOver(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^ [ZX]/.test(text.slice(text.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}
