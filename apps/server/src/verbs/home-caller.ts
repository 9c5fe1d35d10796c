import { createSystemClock } from '@svc/core';
import { type CallServer, createServerCaller } from '../call-server.ts';
import { readInstanceFile } from '../instance-file.ts';

/**
 * A function that calls the running server of a home, also after its certificate was renewed. Null if none runs, or its file
 * cannot be read.
 */
export async function callerOfHome(instanceFile: string): Promise<CallServer | null> {
  const server = await readInstanceFile(instanceFile).catch(() => null);
  if (server === null) return null;
  return createServerCaller(server, createSystemClock(), () => readInstanceFile(instanceFile));
}
