import type { Schemas } from '@svc/client';
import { authorText } from '@svc/records';

/** Parts of a status about problems; servers of earlier versions do not send all of them. */
export type Problems = Partial<
  Pick<Schemas['Status'], 'paused' | 'timezone' | 'sandboxLack' | 'limitedWatch' | 'alerts'>
>;

/** Problems of a running server: paused, time zone not accepted, sandbox of agents missing, delayed detection of edits, undelivered alerts. */
export function problemLines(problems: Problems): string[] {
  const { paused, timezone, sandboxLack, limitedWatch, alerts } = problems;
  return [
    ...(paused == null ? [] : [pauseLine(paused)]),
    ...(timezone?.warning == null ? [] : [zoneLine(timezone.warning)]),
    ...(sandboxLack == null ? [] : [sandboxLine(sandboxLack)]),
    ...(limitedWatch == null ? [] : [watchLine(limitedWatch)]),
    ...(alerts?.failing ?? []).map(({ sink, error }) => `alerts: ${sink} is failing. ${error}`),
  ];
}

/** A problem with the time zone. */
export function zoneLine(warning: string): string {
  return `time zone: ${warning}`;
}

function pauseLine({ by, at, reason }: Schemas['PausedAll']): string {
  const why = reason === null ? '' : ` (reason: ${reason.replace(/[.!?]$/, '')})`;
  return `All triggers have been paused since ${at} by ${authorText(by)}${why}. Resume them with svc resume.`;
}

function sandboxLine({ reason, required }: NonNullable<Schemas['Status']['sandboxLack']>): string {
  const state = required ? 'cannot start in a sandbox, which is required' : 'not sandboxed';
  return `agents: ${state}. ${reason}`;
}

function watchLine({
  reason,
  projects,
  seconds,
}: NonNullable<Schemas['Status']['limitedWatch']>): string {
  const late = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `edits: ${reason} Until then, edits in ${projects === 1 ? 'one project' : `${projects} projects`} take effect after up to ${late}.`;
}
