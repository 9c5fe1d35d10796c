import { createReadStream } from 'node:fs';
import { type Issue, messageOf, sentencesOf } from '@svc/core';
import type { EventData } from '@svc/records';
import { readLimited } from './read-limited.ts';
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
  const bytes = await readLimited(createReadStream(file), file, {
    most: MAX_BYTES,
    limit: '256 KiB of JSON',
  });
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

function parsed(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${messageOf(error)}.`);
  }
}
