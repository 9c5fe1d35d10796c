import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';

// As much of a first line as Linux reads (execve(2)).
const FIRST_BYTES = 256;

/** Whether a program is a script whose first line names something that does not exist. */
export async function lacksInterpreter(program: string): Promise<boolean> {
  const [, interpreter] = /^#![ \t]*([^\s\0]+)/.exec(await beginningOf(program)) ?? [];
  if (interpreter === undefined) return false;
  return access(interpreter, constants.F_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

// A program need not be readable to be run; what cannot be read is left to the system.
async function beginningOf(program: string): Promise<string> {
  const file = await open(program).catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
