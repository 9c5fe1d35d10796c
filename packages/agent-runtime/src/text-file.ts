import { isUtf8 } from 'node:buffer';

/** Whether the bytes of a file are text in UTF-8 (without a NUL). */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/** The text of a file in UTF-8; null for one that is not text (it holds a NUL, or bytes that are no UTF-8). */
export function textOf(bytes: Uint8Array): string | null {
  return isText(bytes) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : null;
}
