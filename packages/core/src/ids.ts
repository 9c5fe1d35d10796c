import { v7 } from 'uuid';

/** Creates a UUID (version 7, RFC 9562). Ids sort by creation time. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id that `newId` creates (lower-case UUID). */
export function isId(text: string): boolean {
  return UUID.test(text);
}
