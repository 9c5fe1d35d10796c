import { v7 } from 'uuid';

/** Mints UUIDs (version 7, RFC 9562), so that ids sort by the time they were made. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id that `newId` mints (lower-case UUID). */
export function isId(text: string): boolean {
  return UUID.test(text);
}
