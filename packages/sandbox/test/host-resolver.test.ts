import { lookup } from 'node:dns/promises';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createNetworkPolicy, createOutbound } from '../src/index.ts';
import { createHostResolver } from '../src/network/host-resolver.ts';
import { type DnsAnswer, type DnsServer, startDnsServer } from './dns-world.ts';
import { hostList } from './network-world.ts';

const V6 = '2606:4700:0000:0000:0000:0000:0000:1111';
const NAMES: Readonly<Record<string, { readonly A: DnsAnswer; readonly AAAA: DnsAnswer }>> = {
  'a.example': { A: ['93.184.215.14', '93.184.215.15'], AAAA: [V6] },
  'four.example': { A: ['93.184.215.14'], AAAA: [] },
  'half.example': { A: 'fault', AAAA: [V6] },
  'empty.example': { A: [], AAAA: [] },
  'fault.example': { A: 'fault', AAAA: [] },
  'silent.example': { A: 'silent', AAAA: 'silent' },
};
const { signal } = new AbortController();

let folder: string;
let hostsFile: string;
let dns: DnsServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-hosts-'));
  hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '# a.example\n0.0.0.0 Blocked.example x # four.example\n::1\tx\n1 bad.example\n',
  );
  dns = await startDnsServer((name, kind) => NAMES[name]?.[kind] ?? 'none');
});
afterEach(async () => {
  dns.close();
  await rm(folder, { recursive: true });
});

describe('a host resolver', () => {
  it.each([
    ['a.example', ['93.184.215.14', '93.184.215.15', '2606:4700::1111']],
    ['four.example', ['93.184.215.14']],
    ['half.example', ['2606:4700::1111']],
    ['empty.example', []],
    ['blocked.example', ['0.0.0.0']],
    ['x', ['0.0.0.0', '::1']],
  ])('finds the addresses of %s', async (host, addresses) => {
    const resolve = createHostResolver({ servers: [dns.address], hostsFile });
    expect(await resolve(host, signal)).toEqual(addresses);
  });

  it.each([
    ['unknown.example', 'ENOTFOUND'],
    ['fault.example', 'ESERVFAIL'],
    ['bad.example', 'ENOTFOUND'],
  ])('rejects for %s', async (host, code) => {
    const resolve = createHostResolver({ servers: [dns.address], hostsFile });
    await expect(resolve(host, signal)).rejects.toMatchObject({ code });
  });

  it('does not ask name servers for names of the hosts file', async () => {
    const resolve = createHostResolver({ servers: [dns.address], hostsFile });
    await resolve('blocked.example', signal);
    expect(dns.questions).toEqual([]);
  });

  it('needs no hosts file', async () => {
    const resolve = createHostResolver({ servers: [dns.address], hostsFile: join(folder, 'no') });
    expect(await resolve('four.example', signal)).toEqual(['93.184.215.14']);
  });

  it('leaves files and lookups of the process alone while name servers do not answer', async () => {
    const resolve = createHostResolver({ servers: [dns.address], hostsFile });
    const stops = Array.from({ length: 100 }, () => new AbortController());
    const all = stops.map((stop) => resolve('silent.example', stop.signal));
    const settled = Promise.allSettled(all);
    while (dns.questions.length < 200) await new Promise((done) => setImmediate(done));
    expect((await lookup('localhost')).address).toMatch(/^(?:127\.|::1$)/);
    expect(await readFile(hostsFile, 'utf8')).not.toBe('');
    expect(await resolve('four.example', signal)).toEqual(['93.184.215.14']);
    for (const stop of stops) stop.abort();
    const answers = await settled;
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('ends with its signal', async () => {
    const resolve = createHostResolver({ servers: [dns.address], hostsFile });
    const stop = new AbortController();
    const found = resolve('silent.example', stop.signal);
    while (dns.questions.length < 2) await new Promise((done) => setImmediate(done));
    stop.abort();
    await expect(found).rejects.toMatchObject({ code: 'ECANCELLED' });
    await expect(resolve('four.example', stop.signal)).rejects.toThrow();
    expect(dns.questions).toHaveLength(2);
  });
});

describe('an outbound connection', () => {
  it('ends the lookup when its time is over', async () => {
    const clock = createFakeClock();
    let ended = false;
    const outbound = createOutbound(
      {
        clock,
        resolveHost: (_host, until) =>
          new Promise((_resolve, reject) => {
            until.addEventListener('abort', () => {
              ended = true;
              reject(new Error('ended'));
            });
          }),
      },
      createNetworkPolicy([hostList('*')]),
    );
    const opening = outbound.open('a.example', 80, signal);
    await clock.advance(9_999);
    expect(ended).toBe(false);
    await clock.advance(1);
    expect(ended).toBe(true);
    expect(await opening).toMatchObject({
      error: { reason: 'a.example could not be resolved: no answer within 10 s.' },
    });
  });
});
