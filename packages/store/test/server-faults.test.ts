import { describe, expect, it } from '@jest/globals';
import { driverAddress } from '../src/postgres/server-address.ts';
import { faultOfServer } from '../src/postgres/server-faults.ts';

const PLACE = {
  host: 'db.example',
  port: 5432,
  database: 'svc',
  user: 'me',
  setting: 'SVC_DATABASE_URL',
};

function coded(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('what keeps a server from being reached', () => {
  // proves: nodes.database-in-words
  it.each([
    ['no server', coded('connect', 'ECONNREFUSED'), 'Start its server', true],
    ['an unknown host', coded('getaddrinfo', 'ENOTFOUND'), 'unknown host db.example', true],
    ['no way', coded('connect', 'EHOSTUNREACH'), 'no route to db.example', true],
    ['a silent host', coded('timeout expired'), 'does not respond', true],
    ['no TLS', coded('The server does not support SSL connections'), 'sslmode=disable', true],
    [
      'a strange certificate',
      coded('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
      'not trusted (self-signed certificate)',
      true,
    ],
    ['one that starts', coded('starting up', '57P03'), 'starting or stopping', true],
    [
      'anything else',
      coded('What is this?'),
      'Cannot connect to the database svc on db.example:5432 (What is this?)',
      true,
    ],
    ['a wrong password', coded('no', '28P01'), 'rejected the user me', false],
    ['its rules', coded('no pg_hba.conf entry for host', '28000'), 'pg_hba.conf', false],
    ['an unknown user', coded('role "me" does not exist', '28000'), 'rejected the user me', false],
    ['no database', coded('no', '3D000'), 'Create svc there', false],
    ['too many connections', coded('no', '53300'), 'accepts no more connections (no)', false],
    ['a full disk', coded('no', '53100'), 'The disk of the database', false],
    ['no memory', coded('no', '53200'), 'is out of memory', false],
    ['another limit', coded('no', '53400'), 'reached a limit of its server (no)', false],
  ])('has its own sentence: %s', (_name, error, words, isAway) => {
    const fault = faultOfServer(error, PLACE, true);
    expect(fault?.sentence).toContain(words);
    expect(fault?.sentence).toContain('svc on db.example:5432');
    expect(fault?.isAway).toBe(isAway);
  });

  // proves: nodes.database-in-words
  it('is reported with the setting that was given', () => {
    const asked = (error: object) => faultOfServer(error, PLACE, true)?.sentence;
    expect(asked(coded('', 'ECONNREFUSED'))).toContain(
      'correct host and port in SVC_DATABASE_URL.',
    );
    expect(asked(coded('no', '3D000'))).toContain('or correct its name in SVC_DATABASE_URL.');
    const words = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';
    expect(asked(new Error(words))).toBe(
      'The database svc on db.example:5432 rejected the user me. Correct the user or the password in SVC_DATABASE_URL.',
    );
  });

  it('is reported once for a host with several addresses', () => {
    const all = new AggregateError([
      coded('connect', 'ECONNREFUSED'),
      coded('connect', 'ECONNREFUSED'),
    ]);
    expect(faultOfServer(all, PLACE, true)?.kind).toBe('no_server');
  });
});

it('the driver is not given a mode of TLS that it warns of', () => {
  const at = (query: string) =>
    driverAddress(`postgres://me:p%40@db.example/svc${query}`).split('svc')[1];
  expect(at('?sslmode=require&application_name=x')).toBe('?sslmode=verify-full&application_name=x');
  expect(at('?a=b&sslmode=verify-ca')).toBe('?a=b&sslmode=verify-full');
  for (const kept of [
    '',
    '?sslmode=disable',
    '?sslmode=no-verify',
    '?uselibpqcompat=true&sslmode=require',
  ]) {
    expect(at(kept)).toBe(kept);
  }
});
