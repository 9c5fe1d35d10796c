import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { failure, type Result, success } from '@svc/core';

/**
 * Returns the absolute path of a command, given its name on a `PATH` or its absolute path. The error is a sentence that
 * explains what to do.
 */
export async function findCommand(command: string, path: string): Promise<Result<string, string>> {
  if (isAbsolute(command)) return checkExecutable(command);
  if (command.includes('/')) {
    return failure(
      `The command ${command} is neither a name nor an absolute path. Give its absolute path.`,
    );
  }
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const found = await checkExecutable(join(folder, command));
    if (found.ok) return found;
  }
  return failure(
    `The command ${command} is not on the PATH of agents (${path}). Install it, or give its absolute path.`,
  );
}

async function checkExecutable(file: string): Promise<Result<string, string>> {
  const entry = await stat(file).catch(() => null);
  if (entry === null) {
    return failure(`The command ${file} does not exist. Install it, or give another path.`);
  }
  if (!entry.isFile())
    return failure(`The command ${file} is not a file. Give the path of a program.`);
  try {
    await access(file, constants.X_OK);
    return success(file);
  } catch {
    return failure(`The command ${file} is not executable. Run chmod +x ${file}.`);
  }
}
