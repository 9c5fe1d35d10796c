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
