/** A server that others have evicted. */
export interface LostServer {
  readonly id: string;
  /** Name of its machine; null where that is not known. */
  readonly host: string | null;
  /** UTC ISO text. */
  readonly heartbeatAt: string;
  readonly goneAt: string;
}

/** Why a slot of a project was missed that a lost server looked after, in one sentence. */
export function lossSentence({ id, host, heartbeatAt, goneAt }: LostServer): string {
  const seconds = Math.round((Date.parse(goneAt) - Date.parse(heartbeatAt)) / 1000);
  const name = host === null ? id : `${host} (${id})`;
  return `The server ${name}, which looked after it, was killed or cut off: its last sign of life came at ${heartbeatAt}, and others took over ${seconds} s later.`;
}

const LOSS = /^The server (?:.* \()?([^ ()]+)\)?, which looked after it, was killed or cut off: /;

/** The id of the server that such a sentence is about; null for any other. */
export function lostServerIn(reason: string | null): string | null {
  return LOSS.exec(reason ?? '')?.[1] ?? null;
}
