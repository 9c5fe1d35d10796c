import { createSystemClock } from '@svc/core';
import { createServerCaller } from '../call-server.ts';
import { readInstanceFile } from '../instance-file.ts';

interface StatusBody {
  readonly paused?: { readonly by: string; readonly at: string; readonly reason: string | null };
}

/** That everything is paused in the running server, with how to go on; null where it is not, or none can be asked. */
export async function pauseSaid(instanceFile: string): Promise<string | null> {
  const server = await readInstanceFile(instanceFile).catch(() => null);
  if (server === null) return null;
  const again = () => readInstanceFile(instanceFile);
  const answer = await createServerCaller(
    server,
    createSystemClock(),
    again,
  )('GET', '/api/status').catch(() => null);
  const paused = answer?.status === 200 ? (answer.body as StatusBody).paused : null;
  if (paused == null) return null;
  const why = paused.reason === null ? '' : `: ${paused.reason.replace(/[.!?]$/, '')}`;
  return `Everything is paused by ${paused.by} since ${paused.at}${why}. svc resume lets it go on.`;
}
