import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { failure, type Result, success } from '@svc/core';

/**
 * The absolute path of a command, by its name on a `PATH` or by its absolute path. Fails with a sentence that says what
 * to do.
 */
export async function findCommand(command: string, path: string): Promise<Result<string, string>> {
  if (isAbsolute(command)) return checked(command);
  if (command.includes('/')) {
    return failure(
      `The command ${command} is neither a name nor an absolute path: give its whole path.`,
    );
  }
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const found = await checked(join(folder, command));
    if (found.ok) return found;
  }
  return failure(
    `The command ${command} is not on the PATH of agents (${path}): install it, or give its whole path.`,
  );
}

async function checked(file: string): Promise<Result<string, string>> {
  const entry = await stat(file).catch(() => null);
  if (entry === null) {
    return failure(`The command ${file} does not exist: install it, or give another path.`);
  }
  if (!entry.isFile()) return failure(`The command ${file} is no file: name a program.`);
  try {
    await access(file, constants.X_OK);
    return success(file);
  } catch {
    return failure(`The command ${file} may not be executed: run chmod +x ${file}.`);
  }
}
