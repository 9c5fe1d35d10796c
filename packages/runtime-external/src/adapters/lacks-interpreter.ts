import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';

// Linux reads this much of the first line, see execve(2).
const MAX_FIRST_LINE_BYTES = 256;

/** Whether a program is a script whose first line names an interpreter that does not exist. */
export async function lacksInterpreter(program: string): Promise<boolean> {
  const [, interpreter] = /^#![ \t]*([^\s\0]+)/.exec(await readStart(program)) ?? [];
  if (interpreter === undefined) return false;
  return access(interpreter, constants.F_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

// A program can be executable without being readable. The operating system then reports a missing interpreter.
async function readStart(program: string): Promise<string> {
  const file = await open(program).catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(MAX_FIRST_LINE_BYTES),
      0,
      MAX_FIRST_LINE_BYTES,
      0,
    );
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
