import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createManagementGate, metadataDocument, parseManagementConfig } from '@svc/mgmt-auth';
import fc from 'fast-check';
import { CATALOGUE } from './catalogue.ts';

// RFC 9110, sections 5.6.2, 5.6.4 and 11.2: token, quoted-string, and a challenge made of them.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"`;
const PARAMETER = `${TOKEN}=(?:${TOKEN}|${QUOTED})`;
const CHALLENGE = new RegExp(`^${TOKEN} ${PARAMETER}(?:, ${PARAMETER})*$`);

const SECRET = 'tok_home_0123456789abcdef0123456789abcdef0123456789abcdef';
const chunk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('"', '\\', '\r\n', ', ', '%22', 'a/../b', '\u{1f600}', '?', '#', '@', ';'),
);
const path = fc.array(chunk, { maxLength: 4 }).map((chunks) => chunks.join(''));
const publicUrl = fc
  .tuple(
    fc.constantFrom('https://h', 'https://H:8443', 'http://localhost:1', 'https://bücher.de'),
    path,
  )
  .map(([origin, rest]) => `${origin}/${rest}`);
const authorizationServers = fc.array(
  fc.oneof(fc.constantFrom('https://idp', 'http://idp', 'nonsense'), publicUrl),
  { maxLength: 3 },
);
const presented = fc.oneof(
  fc.constant(undefined),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'binary' }).map((text) => `Bearer ${text}`),
  fc.nat().map((n) => `Bearer ${SECRET}${n}`),
  fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
);
const ask = (
  block: Readonly<Record<string, unknown>>,
  authorization: string | readonly string[] | undefined,
) => {
  const clients = { one: { auth: { ref: 'env:T' } } };
  const { config } = parseManagementConfig({ ...block, clients }, { T: SECRET }, CATALOGUE);
  fc.pre(config !== null);
  const gate = createManagementGate(config, { clock: createFakeClock() });
  const headers = authorization === undefined ? {} : { authorization };
  const answer = gate({ method: 'POST', headers, remoteAddress: '::1', encrypted: false });
  if (answer.ok) throw new Error('let in');
  return { answer, challenge: answer.headers['www-authenticate'] ?? '', config };
};

describe('the challenge, for any configuration and header,', () => {
  // proves: auth.challenge
  it('follows the grammar of its header', () => {
    fc.assert(
      fc.property(publicUrl, authorizationServers, presented, (url, issuers, header) => {
        const block = { publicUrl: url, authorizationServers: issuers };
        const { challenge, config } = ask(block, header);
        const served = metadataDocument(config) !== null;
        expect(challenge).toMatch(CHALLENGE);
        const parameters = [...challenge.matchAll(new RegExp(PARAMETER, 'g'))];
        expect(parameters.map(([text]) => text.split('=')[0])).toEqual([
          'realm',
          ...(header === undefined ? [] : ['error', 'error_description']),
          ...(served ? ['resource_metadata'] : []),
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it('contains nothing of what was presented', () => {
    fc.assert(
      fc.property(publicUrl, authorizationServers, presented, (url, issuers, header) => {
        const block = { publicUrl: url, authorizationServers: issuers };
        // Any header gets the same response as another one, so no part of it can be in there.
        const wanted = ask(block, header === undefined ? undefined : 'Bearer other').answer;
        expect(ask(block, header).answer).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });
});
