import { describe, expect, it } from '@jest/globals';
import {
  createNetworkPolicy,
  type HostList,
  type NetworkDecision,
  parseHostList,
  widerEntries,
} from '../src/index.ts';

function list(...entries: string[]): HostList {
  const parsed = parseHostList(entries);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function check(lists: readonly HostList[], target: string): NetworkDecision {
  const at = target.lastIndexOf(':');
  return createNetworkPolicy(lists).check(target.slice(0, at), Number(target.slice(at + 1)));
}

describe('parseHostList', () => {
  it.each([
    ['*', 'all', '', null],
    ['API.GitHub.com', 'name', 'api.github.com', null],
    ['api.github.com.:443', 'name', 'api.github.com', 443],
    ['bücher.example', 'name', 'xn--bcher-kva.example', null],
    ['*.Example.org', 'subdomains', 'example.org', null],
    ['*.example.org:443', 'subdomains', 'example.org', 443],
    ['127.0.0.1:5432', 'address', '127.0.0.1', 5432],
    ['0x7f.1', 'address', '127.0.0.1', null],
    ['10.0.0.7', 'address', '10.0.0.7', null],
    ['[::1]:8080', 'address', '::1', 8080],
    ['[2001:DB8:0::7]', 'address', '2001:db8::7', null],
  ])('reads %s', (text, kind, host, port) => {
    expect(list(text)).toEqual({ entries: [{ kind, host, port }] });
  });

  it.each([
    ['', 'must not be empty'],
    [' a.example', 'must not contain spaces'],
    ['a.example\n', 'must not contain spaces'],
    ['a\u0000.example', 'must not contain spaces or control'],
    ['https://a.example', 'must not contain a scheme'],
    ['a.example/path', 'must not contain a path'],
    ['a.example?x', 'must not contain a path'],
    ['a.example\\b', 'must not contain a path'],
    ['me@a.example', 'must not contain a user name'],
    ['10.0.0.0/8', 'must not be a network'],
    ['[fd00::]/8', 'must not be a network'],
    ['a%2eexample', 'must not contain `%`'],
    ['[fe80::1%eth0]', 'must not contain `%`'],
    ['*:443', 'must be `*` without a port'],
    ['**', 'must have `*` only'],
    ['a*.example', 'must have `*` only'],
    ['a.*.example', 'must have `*` only'],
    ['*.*.example', 'must have `*` only'],
    ['*.10.0.0.1', 'must not be `*` followed by an address'],
    ['*.1', 'must not be `*` followed by an address'],
    ['*.', 'must be a host name'],
    ['::1', 'must have an IPv6 address in brackets'],
    ['fe80::1:443', 'must have an IPv6 address in brackets'],
    ['[::1', 'must be an IPv6 address in brackets'],
    ['[a.example]:80', 'must be an IPv6 address in brackets'],
    ['a.example:0', 'must have a port'],
    ['a.example:65536', 'must have a port'],
    ['a.example:http', 'must have a port'],
    ['a.example:', 'must have a port'],
    [':443', 'must be a host name'],
    ['a..example', 'must be a host name'],
    ['a,b', 'must be a host name'],
    ['999.1.1.1', 'must be a host name'],
    ['localhost:80', 'must not be localhost'],
    ['*.localhost', 'must not be localhost'],
    ['[::ffff:127.0.0.1]', 'must not be an IPv6 form'],
  ])('rejects %j and names its position', (text, message) => {
    const parsed = parseHostList(['a.example', text]);
    expect(parsed).toMatchObject({
      ok: false,
      error: { index: 1, message: expect.stringContaining(message) },
    });
  });
});

describe('a network policy', () => {
  it.each([
    ['api.github.com', 'API.github.COM.:443', true],
    ['api.github.com:443', 'api.github.com:80', false],
    ['api.github.com', 'x.api.github.com:443', false],
    ['*.example.org', 'a.b.example.org:80', true],
    ['*.example.org', 'example.org:80', false],
    ['*.example.org', 'badexample.org:80', false],
    ['*', 'a.example:25', true],
    ['*', '8.8.8.8:53', true],
    ['*', '[2606:4700::1111]:443', true],
    ['*', '127.0.0.1:80', false],
    ['*', '2130706433:80', false],
    ['*', '0:80', false],
    ['*', '169.254.169.254:80', false],
    ['*', '168.63.129.16:80', false],
    ['*', '[fd00:ec2::254]:80', false],
    ['*', '[::ffff:8.8.8.8]:80', false],
    ['*', '[64:ff9b::7f00:1]:80', false],
    ['*', 'localhost:80', false],
    ['*', 'a.LOCALHOST.:80', false],
    ['*', 'ＬＯＣＡＬhost:80', false],
    ['*', 'me@a.example:80', false],
    ['*', 'a.example%00:80', false],
    ['*', 'a.example\u0000:80', false],
    ['*', 'a.example:0', false],
    ['*', ':80', false],
    ['127.0.0.1:5432', '127.1:5432', true],
    ['127.0.0.1:5432', '127.0.0.1:5433', false],
    ['127.0.0.1', '[::ffff:127.0.0.1]:80', false],
    ['[::1]', '[0:0::1]:80', true],
  ])('with %s decides about %s: %s', (entry, target, allowed) => {
    expect(check([list(entry)], target).allowed).toBe(allowed);
  });

  it('allows nothing without lists or with an empty list', () => {
    expect(check([], 'a.example:80').allowed).toBe(false);
    expect(check([list('*'), list()], 'a.example:80').allowed).toBe(false);
  });

  it('allows an address that is not public only if every list names it', () => {
    expect(check([list('*'), list('10.0.0.7')], '10.0.0.7:80').allowed).toBe(false);
    expect(check([list('10.0.0.7:80'), list('*', '10.0.0.7')], '10.0.0.7:80')).toEqual({
      allowed: true,
      literal: true,
      host: '10.0.0.7',
    });
    expect(check([list('*'), list('8.8.8.8')], '8.8.8.8:80')).toMatchObject({ literal: false });
  });

  it('names the host and what to change in one line', () => {
    expect(check([list('a.example')], 'B.example:443')).toEqual({
      allowed: false,
      host: 'b.example',
      reason: 'b.example:443 is not an allowed host. Add b.example:443 to the allowed hosts.',
    });
    const odd = check([list('*')], `a\r\nb${'c'.repeat(3000)}:80`);
    expect(odd).toMatchObject({ allowed: false, host: expect.stringMatching(/^a\?\?bc+…$/) });
    expect(odd.host).toHaveLength(253);
  });
});

describe('widerEntries', () => {
  it.each([
    [['*'], ['*', 'a.example', '*.b.example:80', '8.8.8.8'], []],
    [['*'], ['10.0.0.7', '127.0.0.1:80'], ['10.0.0.7', '127.0.0.1:80']],
    [['a.example:443'], ['A.example.:443'], []],
    [['a.example:443'], ['a.example', 'a.example:80'], ['a.example', 'a.example:80']],
    [['*.a.example'], ['x.a.example:1', '*.x.a.example', '*.a.example'], []],
    [['*.a.example'], ['a.example', '*', '*.example'], ['a.example', '*', '*.example']],
    [['a.example'], ['*.a.example', 'not a host'], ['*.a.example', 'not a host']],
    [['10.0.0.7'], ['10.0.0.7:80', '10.7'], []],
    [[], ['a.example'], ['a.example']],
  ])('of %j in %j are %j', (ceiling, entries, wider) => {
    expect(widerEntries(ceiling, entries)).toEqual(wider);
  });
});
