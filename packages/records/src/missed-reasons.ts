/** Why a slot was missed, in one sentence: the `reason` of its run. */
export const MISSED_REASONS = {
  notRunning: 'The service was not running at that time.',
  notInTime: 'It could not be claimed in time.',
  asleep: 'The machine was asleep or its clock was set forward.',
  paused: 'Firing was paused at that time.',
  notRecorded: 'The service could not record it at that time.',
  startedTooLate: 'The service was not running, and started too late to catch up this slot.',
  databaseTooLate: 'The database was unavailable for too long to catch up this slot.',
} as const;

/** Why a slot is not caught up that was due longer ago than its window, whose length is given in words. */
export function expiredReason(window: string): string {
  return `It was due more than ${window} before the service could claim it.`;
}

// Rows of earlier versions contain "make up".
const EXPIRED = /^It was due more than|too (?:late|long) to (?:catch|make) up/;

/** Whether a slot was missed because its window for catching up had passed. */
export function isExpired(reason: string): boolean {
  return EXPIRED.test(reason);
}

/** A server that others have evicted. */
export interface LostServer {
  readonly id: string;
  /** Name of its machine; null if unknown. */
  readonly host: string | null;
  /** UTC ISO text. */
  readonly heartbeatAt: string;
  readonly goneAt: string;
}

/** Why a slot was missed whose project a lost server owned, in one sentence. */
export function lossSentence({ id, host, heartbeatAt, goneAt }: LostServer): string {
  const seconds = Math.round((Date.parse(goneAt) - Date.parse(heartbeatAt)) / 1000);
  const name = host === null ? id : `${host} (${id})`;
  return `The server ${name}, which owned the project, was killed or lost its connection: last heartbeat at ${heartbeatAt}, taken over ${seconds} s later.`;
}

// Runs that older versions recorded have the second form.
const LOSS =
  /^The server (?:.* \()?([^ ()]+)\)?, which (?:owned the project, was killed or lost its connection|looked after it, was killed or cut off): /;

/** The id of the server in a sentence of `lossSentence`; null for any other text. */
export function lostServerIn(reason: string | null): string | null {
  return LOSS.exec(reason ?? '')?.[1] ?? null;
}
