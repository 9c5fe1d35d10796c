import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import { network } from '@svc/sandbox/testing';
import { inFolder, makeRuntime, makeSpec, reaching, runTurn, step } from './support.ts';

const page = `<!doctype html><html><head><title>İİ Fares &amp; times</title>
<style>p { color: red }</style><script>if (1 < 2) leak()</script></head>
<body><h1>Fares</h1><p>From&nbsp;<b>5&#8364;</b>,
now&#x21;</p><!-- hidden --><ul><li>one<li>two</ul>1 < 2 <4></ 3></body></html>`;

const answer: RequestListener = (request, response) => {
  const url = request.url ?? '';
  const send = (type: string, body: string | Buffer, status = 200) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
  if (url === '/page') send('text/html; charset=utf-8', page);
  else if (url === '/json') send('application/json', '{"a":1}');
  else if (url === '/latin') send('text/plain; charset="iso-8859-1"', Buffer.from([0xe4]));
  else if (url === '/image') send('image/png', 'x');
  else if (url === '/missing') send('text/plain', 'Nothing here.', 404);
  else if (url === '/large') send('text/plain', 'x'.repeat(5 * 1024 * 1024 + 1));
  else if (url === '/zip') {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    response.end('x');
  } else if (url === '/headers') send('text/plain', JSON.stringify(request.headers));
  else if (url.startsWith('/to/')) {
    response.writeHead(302, { location: decodeURIComponent(url.slice(4)), 'set-cookie': 'a=b' });
    response.end();
  } else if (url === '/loop') {
    response.writeHead(302, { location: '/loop' });
    response.end();
  } else if (url.startsWith('/html/')) send('text/html', pages[url.slice(6)] ?? '');
};

const many = (text: string, count = 100_000): string => text.repeat(count);

// Each would take minutes if the time grew faster than the page.
const hostile: Record<string, readonly [page: string, text: string]> = {
  'open scripts': [`a${many('<script>')}${many('<')}`, 'a'],
  'deep nesting': [`a${many('<b>', 1_000_000)}b${many('</i>')}c`, 'abc'],
  'deep silence': [`a${many('<svg>')}b${many('</svg>')}c`, 'ac'],
  'open comments': [`a${many('<!--', 1_000_000)}`, 'a'],
  'open attributes': [`a<p ${many('x="', 1_000_000)}`, 'a'],
  'a huge attribute': [`a<p x="${many('>', 4_000_000)}">b`, 'a\nb'],
  'many attributes': [`a<p ${many('x=1 ', 1_000_000)}>b`, 'a\nb'],
  ampersands: [
    `${many('&a ', 3)}${many('&#', 1_000_000)}<p>b`,
    `&a &a &a ${many('&#', 1_000_000)}\nb`,
  ],
  'nearly ends': [
    `a<title>${many('</titl', 500_000)}</title>b`,
    `a\n${many('</titl', 500_000)}\nb`,
  ],
};

const plain: Record<string, readonly [page: string, text: string]> = {
  'names of characters': [
    'caf&eacute; &rarr; &amp;lt; &#x1F600; AT&T &unknown;',
    'café → &lt; 😀 AT&T &unknown;',
  ],
  'signs inside attributes': ['<a title="1 > 0" rel=\'</a>\'>one</a>two', 'onetwo'],
  'what is never shown': [
    'a<noscript>b</noscript><template><p>c<template>d</template>e</template>f<svg/>g<SVG><title>h</svg>i<iframe><b>j</iframe>k',
    'afgik',
  ],
  'words in a field': ['<textarea><b>&lt;</b></textarea>', '<b><</b>'],
  'an element without its end': ['a<style>b', 'a'],
};

const pages = Object.fromEntries(
  Object.entries({ ...hostile, ...plain }).map(([name, [html]]) => [encodeURI(name), html]),
);

let server: Server;
let base = '';
let port = 0;
let hits = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    hits += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  base = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const names: Record<string, readonly string[]> = {
  'outside.example': ['93.184.215.14'],
  'inside.example': ['127.0.0.1'],
  'mixed.example': ['93.184.215.14', '10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'own.example': ['93.184.215.14', '45.33.32.200'],
  'zone.example': ['2606:4700::1%eth0'],
  'none.example': [],
  localhost: ['127.0.0.1'],
};

async function fetchWith(url: string, hosts: readonly string[], stop?: AbortController) {
  let result = { outcome: '', text: '', reason: null as string | null, asked: [] as string[] };
  const asked: string[] = [];
  const [{ connect }, options] = reaching('*', ...hosts);
  const runtime = makeRuntime(
    {
      ...(connect && { connect }),
      resolveHost: async (host) => {
        asked.push(host);
        const found = names[host];
        if (found === undefined) throw new Error(`no such name ${host}`);
        return found;
      },
      network,
    },
    options,
  );
  await inFolder(async (folder) => {
    const spec = makeSpec(folder, { prompt: step('WebFetch', { url }) });
    const { end, results } = await runTurn(runtime, spec, stop?.signal);
    result = { outcome: end.outcome, text: results[0] ?? '', reason: end.reason, asked };
  });
  return result;
}

describe('WebFetch', () => {
  it('returns a page as plain text', async () => {
    const { text, outcome } = await fetchWith(`${base}/page`, ['127.0.0.1']);
    expect(outcome).toBe('succeeded');
    expect(text).toBe('İİ Fares & times\nFares\nFrom 5€,\nnow!\n- one\n- two\n1 < 2 <4>');
  });

  it.each([
    ['JSON as it is', '/json', '{"a":1}'],
    ['the character set that is named', '/latin', 'ä'],
    ['a redirect', '/to/%2Fjson', '{"a":1}'],
  ])('takes %s', async (_, path, text) => {
    expect((await fetchWith(base + path, ['127.0.0.1'])).text).toBe(text);
  });

  it.each([
    ['other types', '/image', /is not text but image\/png\.$/],
    ['compression it did not ask for', '/zip', /is not text but gzip compression\.$/],
    ['more than 5 MiB', '/large', /is larger than 5 MiB\.$/],
    ['an error status', '/missing', /\/missing returned status 404\.\nNothing here\.$/],
    ['endless redirects', '/loop', /redirects more than 5 times\.$/],
    ['a redirect to nowhere', '/to/http%3A%2F%2F', /is not a web address\.$/],
  ])('fails with a message on %s', async (_, path, text) => {
    const result = await fetchWith(base + path, ['127.0.0.1']);
    expect(result.outcome).toBe('failed');
    expect(result.text).toMatch(text);
  });

  it('sends no cookies and no credentials', async () => {
    const { text } = await fetchWith(`${base}/to/%2Fheaders`, ['127.0.0.1']);
    expect(Object.keys(JSON.parse(text)).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
    ]);
  });

  it.each(Object.entries(plain))('reads HTML with %s', async (name, [, text]) => {
    const result = await fetchWith(`${base}/html/${name}`, ['127.0.0.1']);
    expect(result.text).toBe(text);
  });

  it.each(Object.entries(hostile))('converts hostile HTML quickly: %s', async (name, [, text]) => {
    const from = performance.now();
    const result = await fetchWith(`${base}/html/${name}`, ['127.0.0.1']);
    expect(result.text.slice(0, 10_000)).toBe(text.slice(0, 10_000));
    expect(performance.now() - from).toBeLessThan(20_000);
  });

  it('reaches public names, but no other address that they redirect to', async () => {
    const listed = await fetchWith(`http://outside.example:${port}/json`, []);
    expect(listed.text).toBe('{"a":1}');
    const before = hits;
    const redirected = await fetchWith(
      `http://outside.example:${port}/to/${encodeURIComponent(`${base}/json`)}`,
      [],
    );
    expect(redirected).toMatchObject({ outcome: 'denied' });
    expect(redirected.reason).toContain(`127.0.0.1:${port} is not a public address`);
    expect(hits - before).toBe(1);
  });

  it('reaches only hosts in the list of the turn, and records what it reached and refused', async () => {
    const [{ connect, resolveHost }, options] = reaching('*');
    const runtime = makeRuntime(
      { ...(connect && { connect }), ...(resolveHost && { resolveHost }) },
      options,
    );
    await inFolder(async (folder) => {
      const fetched = (host: string) => step('WebFetch', { url: `http://${host}:${port}/json` });
      const spec = makeSpec(folder, {
        prompt: fetched('listed.example') + fetched('other.example'),
        capability: { network: ['listed.example'] },
      });
      const { end } = await runTurn(runtime, spec);
      const reason = `other.example:${port} is not an allowed host. Add other.example:${port} to run.network, or network of the project.`;
      expect(end.network).toEqual({
        reached: [
          {
            ...{ host: 'listed.example', port, count: 1 },
            ...{ sent: expect.any(Number), received: expect.any(Number) },
          },
        ],
        refused: [{ host: 'other.example', port, count: 1, reason }],
      });
      expect(end.reason).toContain(reason);
    });
  });

  it.each([
    'http://127.0.0.1:PORT/json',
    'http://127.1:PORT/json',
    'http://2130706433:PORT/json',
    'http://0x7f000001:PORT/json',
    'http://0177.0.0.1:PORT/json',
    'http://0:PORT/json',
    'http://[::1]:PORT/json',
    'http://[::ffff:127.0.0.1]:PORT/json',
    'http://[::ffff:7f00:1]:PORT/json',
    'http://[::127.0.0.1]:PORT/json',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[2002:7f00:1::]/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://198.18.0.1/',
    'http://localhost:PORT/json',
    'http://inside.example:PORT/json',
    'http://mixed.example/',
    'http://metadata.example/',
    'https://six.example/',
    'http://user:secret@inside.example/',
    'file:///etc/passwd',
    'ftp://inside.example/',
    'data:text/plain,x',
  ])('refuses %s before any request', async (url) => {
    const before = hits;
    const result = await fetchWith(url.replace('PORT', String(port)), []);
    expect(result).toMatchObject({ outcome: 'denied' });
    expect(hits).toBe(before);
  });

  it.each([
    ['an interface', 'http://8.8.4.4:PORT/json'],
    ['an interface, in IPv6', 'http://[2a02::7]:PORT/json'],
    ['an interface that only Linux’s table names', 'http://[2a01::abcd]/'],
    ['a local route', 'http://93.184.216.34/'],
    ['a network that is local as a whole', 'http://45.33.32.77/'],
    ['such a network, in IPv6', 'http://[2606:4700:9::1]/'],
    ['an anycast address', 'http://[2a00::]/'],
    ['a broadcast address', 'http://93.184.216.255/'],
    ['a name of which one address is its own', 'http://own.example/'],
  ])('refuses addresses of this machine: %s', async (_, url) => {
    const result = await fetchWith(url.replace('PORT', String(port)), []);
    expect(result.outcome).toBe('denied');
    expect(result.text).toMatch(/ is an address of this machine\. /);
  });

  it('refuses addresses with a zone', async () => {
    const result = await fetchWith('http://zone.example/', []);
    expect(result.outcome).toBe('denied');
  });

  it('refuses it after a redirect too', async () => {
    const to = encodeURIComponent('http://45.33.32.1/');
    const result = await fetchWith(`http://outside.example:${port}/to/${to}`, []);
    expect(result).toMatchObject({ outcome: 'denied' });
    expect(result.text).toContain('45.33.32.1 is an address of this machine');
  });

  it.each([
    ['not an address', 'example', 'example is not a web address.'],
    ['a name without addresses', 'http://none.example/', 'none.example has no address.'],
    [
      'an unknown name',
      'http://gone.example/',
      /could not be resolved: no such name gone\.example/,
    ],
  ])('fails on %s', async (_, url, text) => {
    const result = await fetchWith(url, []);
    expect(result.outcome).toBe('failed');
    expect(result.text).toMatch(text);
  });

  it('stops with its turn', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new TurnStop('cancelled', 'By hand.')), 50);
    const { outcome, reason } = await fetchWith(`${base}/silent`, ['127.0.0.1'], stop);
    expect([outcome, reason]).toEqual(['cancelled', 'By hand.']);
  });
});
