import { isUtf8 } from 'node:buffer';

/** Whether the bytes of a file are text in UTF-8 (without a NUL). */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/** The text of a UTF-8 file; null if it contains a NUL or invalid UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  return isText(bytes) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : null;
}
