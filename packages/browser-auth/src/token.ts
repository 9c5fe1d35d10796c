import { createHash, timingSafeEqual } from 'node:crypto';

/** Creates a constant-time comparison with a secret, which does not reveal how much of a text matches. */
export function createSecretCheck(secret: string | null): (given: string) => boolean {
  if (secret === null || secret === '') return () => false;
  const wanted = digest(secret);
  return (given) => timingSafeEqual(digest(given), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
