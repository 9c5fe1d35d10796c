import { createReadStream } from 'node:fs';
import { type Issue, messageOf, sentencesOf } from '@svc/core';
import type { EventData } from '@svc/records';
import { CommandError } from './terminal.ts';

const MAX_BYTES = 256 * 1024;

/** Event data for a test of a trigger, with its file. */
export interface EventFile {
  readonly file: string;
  readonly data: EventData['data'];
}

/**
 * Reads event data from a file: a JSON object in UTF-8, at most 256 KiB.
 *
 * @throws CommandError one sentence that names the file, if it is missing or has other content
 */
export async function readEventFile(file: string): Promise<EventFile> {
  const bytes = await readStart(file, MAX_BYTES + 1).catch((error: unknown) => {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandError(
      absent ? `${file} does not exist.` : `${file} cannot be read: ${messageOf(error)}.`,
    );
  });
  if (bytes.length > MAX_BYTES) {
    throw new CommandError(`${file} is too large: the limit is 256 KiB of JSON.`);
  }
  const data = parsed(file, bytes);
  // Loaded on demand, because it is a large package.
  const { eventFault } = await import('@svc/engine');
  const fault = eventFault(data);
  if (fault !== null) throw new CommandError(`${file} ${fault}`);
  return { file, data: data as EventData['data'] };
}

/** The message for event data that a server refused, with the name of the file. */
export function eventRefusal({ file }: EventFile, issues: readonly Issue[]): string {
  const own = issues.map(({ path, message }) =>
    path === 'event' || path.startsWith('event.')
      ? { path: [file, path.slice('event.'.length)].filter(Boolean).join(': '), message }
      : { path, message },
  );
  return sentencesOf(own, file);
}

async function readStart(file: string, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { end: most - 1 })) pieces.push(piece);
  return Buffer.concat(pieces);
}

function parsed(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${messageOf(error)}.`);
  }
}
