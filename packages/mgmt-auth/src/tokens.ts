import { hash } from 'node:crypto';

/** Fewest characters of a token, its prefix included. */
export const MIN_TOKEN_LENGTH = 24;

/** A configured token, without the token. */
export interface TokenDigest {
  /** SHA-256 of the token. */
  readonly digest: Buffer;
  /** `here`: carries this instance's id, or none is checked; `elsewhere`: another's, refused; `none`: carries no id. */
  readonly binding: 'here' | 'elsewhere' | 'none';
}

/** Turns a token into its digest and finds out which instance it is bound to. */
export function digestToken(token: string, instanceId: string | null): TokenDigest {
  return { digest: sha256(token), binding: bindingOf(token, instanceId) };
}

/** SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

// Ids may hold underscores, so the whole prefix is compared instead of cutting the id out.
function bindingOf(token: string, instanceId: string | null): TokenDigest['binding'] {
  if (!token.startsWith('tok_') || !token.includes('_', 4)) return 'none';
  return instanceId === null || token.startsWith(`tok_${instanceId}_`) ? 'here' : 'elsewhere';
}
