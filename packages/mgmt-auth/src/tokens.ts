import { hash } from 'node:crypto';

/** Minimum length of a token, its prefix included. */
export const MIN_TOKEN_LENGTH = 24;

/** A configured token, without the token. */
export interface TokenDigest {
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  /**
   * `here`: has the id of this instance, or the id is not checked; `elsewhere`: has the id of another instance and
   * is refused; `none`: has no id.
   */
  readonly binding: 'here' | 'elsewhere' | 'none';
}

/** Computes the digest of a token and the instance that it is bound to. */
export function digestToken(token: string, instanceId: string | null): TokenDigest {
  return { digest: sha256(token), binding: bindingOf(token, instanceId) };
}

/** SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

// Ids may contain underscores, so the whole prefix is compared instead of parsing the id.
function bindingOf(token: string, instanceId: string | null): TokenDigest['binding'] {
  if (!token.startsWith('tok_') || !token.includes('_', 4)) return 'none';
  return instanceId === null || token.startsWith(`tok_${instanceId}_`) ? 'here' : 'elsewhere';
}
