import { randomBytes } from 'node:crypto';

/** A fresh name for the file that is written beside another before it takes its place. */
export function temporaryName(): string {
  return `.svc-${randomBytes(8).toString('hex')}.tmp`;
}

/** Whether a name is one that `temporaryName` gives. */
export function isTemporaryName(name: string): boolean {
  return /^\.svc-[0-9a-f]{16}\.tmp$/.test(name);
}
