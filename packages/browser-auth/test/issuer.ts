import {
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Time of the fake clocks of these tests, in seconds. */
export const NOW = Date.parse('2026-03-01T09:00:00.000Z') / 1000;
export const ISSUER = 'https://id.example';
export const CLAIMS = { iss: ISSUER, aud: 'svc', sub: 'ada', exp: NOW + 600 };

type Header = Readonly<Record<string, unknown>>;
type Answer = (response: ServerResponse) => void;

/** An identity provider: keys at an address, and tokens signed with them, made without the library under test. */
export interface Issuer {
  readonly url: string;
  /** Number of requests for the keys. */
  readonly asked: number;
  readonly publicKey: JsonWebKey;
  /** Sets the response of the address; null: the keys. */
  answerWith(answer: Answer | null): void;
  sign(claims?: object, header?: Header, key?: KeyObject): string;
  close(): Promise<void>;
}

const KEYS = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const;

export async function startIssuer(): Promise<Issuer> {
  let asked = 0;
  let answer: Answer | null = null;
  const keys = Object.entries(KEYS).map(([alg, { publicKey }]) => ({
    ...publicKey.export({ format: 'jwk' }),
    kid: alg,
    alg,
    use: 'sig',
  }));
  const server = createServer((_request, response) => {
    asked += 1;
    if (answer !== null) answer(response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    get asked() {
      return asked;
    },
    publicKey: keys[0] as JsonWebKey,
    answerWith(next) {
      answer = next;
    },
    sign: (claims = {}, header = {}, key) =>
      signedToken({ ...CLAIMS, ...claims }, { alg: 'ES256', kid: 'ES256', ...header }, key),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signedToken(claims: object, header: Header, key?: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${signatureOf(text, String(header['alg']), key).toString('base64url')}`;
}

function signatureOf(text: string, alg: string, given?: KeyObject): Buffer {
  if (alg === 'none') return Buffer.alloc(0);
  if (alg.startsWith('HS')) {
    return createHmac('sha256', given ?? publicPem())
      .update(text)
      .digest();
  }
  const key = given ?? KEYS[alg as keyof typeof KEYS].privateKey;
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  return signBytes(alg === 'EdDSA' ? null : 'sha256', Buffer.from(text), options);
}

/** The public key as text, with which a careless check would let a token be made. */
export function publicPem(): Buffer {
  const { publicKey } = KEYS.RS256;
  return Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
}
