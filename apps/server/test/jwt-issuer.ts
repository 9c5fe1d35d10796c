import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An identity provider on this machine. */
export interface Issuer {
  readonly jwksUrl: string;
  /** A token for a user with these roles, valid for an hour. */
  tokenFor(name: string, roles: readonly string[]): string;
  close(): void;
}

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }];
  const server = createServer((_request, response) => void response.end(JSON.stringify({ keys })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    tokenFor(name, roles) {
      const exp = Math.floor(Date.now() / 1000) + 3600;
      const claims = { iss: 'https://id.example', aud: 'svc', sub: name, roles, exp };
      const text = `${encoded({ alg: 'ES256', kid: 'k' })}.${encoded(claims)}`;
      const options = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      return `${text}.${sign('sha256', Buffer.from(text), options).toString('base64url')}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
