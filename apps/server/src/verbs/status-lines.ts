import { callerOf } from './server-call.ts';

interface StatusBody {
  readonly paused?: {
    readonly by: string;
    readonly at: string;
    readonly reason: string | null;
  } | null;
  readonly limitedWatch?: {
    readonly reason: string;
    readonly projects: number;
    readonly seconds: number;
  } | null;
}

/** What a person should know of the running server, with what to do: that it is not ready, that everything is paused, that edits are found late. */
export async function statusLines(instanceFile: string): Promise<string[]> {
  const ask = await callerOf(instanceFile);
  const answer = await ask?.('GET', '/api/status').catch(() => null);
  if (answer?.status === 503) return [`server: ${(answer.body as { error: string }).error}`];
  if (answer?.status !== 200) return [];
  const { paused, limitedWatch } = answer.body as StatusBody;
  return [
    ...(paused == null ? [] : [pauseLine(paused)]),
    ...(limitedWatch == null ? [] : [watchLine(limitedWatch)]),
  ];
}

export function pauseLine({ by, at, reason }: NonNullable<StatusBody['paused']>): string {
  const why = reason === null ? '' : `: ${reason.replace(/[.!?]$/, '')}`;
  return `Everything is paused by ${by} since ${at}${why}. svc resume lets it go on.`;
}

export function watchLine({
  reason,
  projects,
  seconds,
}: NonNullable<StatusBody['limitedWatch']>): string {
  const late = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `edits: ${reason} Until then those in ${projects === 1 ? 'one project' : `${projects} projects`} count after up to ${late}.`;
}
