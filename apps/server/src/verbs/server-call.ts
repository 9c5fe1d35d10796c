import { createSystemClock } from '@svc/core';
import { type CallServer, createServerCaller } from '../call-server.ts';
import { readInstanceFile } from '../instance-file.ts';

/** What calls the server that runs for a home, also once its certificate is renewed; null where none does, or its file cannot be read. */
export async function callerOf(instanceFile: string): Promise<CallServer | null> {
  const server = await readInstanceFile(instanceFile).catch(() => null);
  if (server === null) return null;
  return createServerCaller(server, createSystemClock(), () => readInstanceFile(instanceFile));
}
