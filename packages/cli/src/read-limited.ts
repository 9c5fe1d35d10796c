import { messageOf } from '@svc/core';
import { CommandError } from './terminal.ts';

/**
 * Reads a stream of at most `most` bytes.
 *
 * @param what name of the stream in errors
 * @param limit the maximum in errors
 * @throws CommandError one sentence that starts with `what`
 */
export async function readLimited(
  stream: AsyncIterable<Buffer>,
  what: string,
  { most, limit }: { readonly most: number; readonly limit: string },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of stream) {
      size += piece.length;
      if (size > most) break;
      pieces.push(piece);
    }
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandError(
      isAbsent ? `${what} does not exist.` : `${what} cannot be read: ${messageOf(error)}.`,
    );
  }
  if (size > most) throw new CommandError(`${what} is too large: the limit is ${limit}.`);
  return Buffer.concat(pieces);
}
