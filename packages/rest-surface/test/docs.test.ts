import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { parse } from 'parse5';
import { type RunningSurface, startSurface } from './surface.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let rest: RunningSurface;
let document: Document;
let page: string;
beforeAll(async () => {
  rest = await startSurface();
  document = (await rest.ask('GET', '/api/openapi.json')).body as unknown as Document;
  page = await (await fetch(`${rest.url}/api/docs`)).text();
});
afterAll(() => rest.close());

const placed = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The visible texts of a page. */
const read = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

/** The content of a section of the page. */
function sectionOf(id: string): string {
  const from = page.indexOf(`<section id="${id}" `);
  expect([id, from]).not.toEqual([id, -1]);
  return page.slice(from, page.indexOf('</section>', from));
}

describe('the HTML page of the document', () => {
  it('have each operation, with its address, parameters, statuses and codes', () => {
    expect(placed().length).toBeGreaterThan(40);
    for (const { path, method, operation } of placed()) {
      const section = read(sectionOf(operation.operationId));
      expect(section).toContain(`${method.toUpperCase()} ${path}`);
      expect(section).toContain(operation.summary.replaceAll('`', ''));
      for (const { name } of operation.parameters) expect(section).toContain(name);
      for (const [status, { description }] of Object.entries(operation.responses)) {
        const code = /^Refused: (.*)\.$/.exec(description)?.[1];
        expect(section).toContain(code === undefined ? `Response ${status}` : `${status} ${code}`);
      }
    }
  });

  it('have an index of the operations', () => {
    const index = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'));
    const ids = [...index.matchAll(/<li><a href="#(\w+)"/g)].map(([, id]) => id);
    expect(ids.sort()).toEqual(
      placed()
        .map(({ operation }) => operation.operationId)
        .sort(),
    );
  });

  it('have each schema, and link only to existing anchors', () => {
    for (const name of Object.keys(document.components.schemas)) {
      expect(sectionOf(`schema-${name}`)).toContain(`<h3>${name}</h3>`);
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(page).not.toContain('$ref');
    expect(page).not.toContain('undefined');
    expect(page).not.toContain('[object');
  });

  it('are well-formed, without scripts and inline styles', () => {
    const faults: string[] = [];
    parse(page, { onParseError: ({ code, startLine }) => faults.push(`${code} in ${startLine}`) });
    expect(faults).toEqual([]);
    expect(page).not.toMatch(/<(script|style|img|iframe)|\sstyle=|\son\w+=|(src|href)="https?:/);
  });

  it('may load nothing but their style sheet', async () => {
    for (const [path, type] of [
      ['/api/docs', 'text/html; charset=utf-8'],
      ['/api/docs/style.css', 'text/css; charset=utf-8'],
    ] as const) {
      const { status, headers } = await fetch(rest.url + path);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
      expect(headers.get('content-encoding')).toBe('gzip');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy.split('; ').slice(0, 2)).toEqual(["default-src 'none'", "style-src 'self'"]);
      expect(policy).not.toMatch(/unsafe|script-src/);
    }
    expect(page).toContain('<link rel="stylesheet" href="/api/docs/style.css">');
  });

  it('require the same permission as the document', async () => {
    const auth = { mode: 'token', token: 'the token' } as const;
    const closed = await startSurface({ auth }, createFakeClock());
    try {
      for (const path of ['/api/docs', '/api/docs/style.css']) {
        const refused = await fetch(closed.url + path);
        expect([refused.status, await refused.json()]).toMatchObject([
          401,
          { code: 'auth_required' },
        ]);
        const headers = { authorization: 'Bearer the token' };
        expect((await fetch(closed.url + path, { headers })).status).toBe(200);
      }
    } finally {
      await closed.close();
    }
  });

  it('contain the address at which they were requested, and no other text of the request', async () => {
    const { host } = new URL(rest.url);
    expect(page).toContain(`export SVC=http://${host}<`);
    const headers = { 'x-forwarded-proto': 'https' };
    const proxied = await (await fetch(`${rest.url}/api/docs`, { headers })).text();
    expect(proxied).toContain(`export SVC=https://${host}<`);
    const odd = await rest.raw(
      `GET /api/docs HTTP/1.1\r\nHost: 127.0.0.1"><b>\r\nConnection: close\r\n\r\n`,
    );
    expect(odd).not.toContain('<b>');
  });

  it('are read-only, and have no parameters', async () => {
    const posted = await rest.ask('POST', '/api/docs');
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${rest.url}/api/docs`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await rest.ask('GET', '/api/docs?x=1')).status).toBe(400);
  });

  it('have curl commands that work', async () => {
    const lines = [...page.matchAll(/<pre class="curl"[^>]*><code>(.*)<\/code>/g)].map(
      ([, line = '']) => read(line),
    );
    expect(lines).toHaveLength(placed().length);
    for (const [method, url, body] of await argumentsOf(lines)) {
      if (url?.endsWith('/api/events')) continue;
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(url ?? '', {
        method: method ?? 'GET',
        ...(body !== undefined && { body, headers }),
      });
      // The project and run of the examples do not exist, and there is no sign-in: the request is understood
      // nevertheless.
      expect([url, [200, 201, 202, 404, 409].includes(status) ? 'understood' : status]).toEqual([
        url,
        'understood',
      ]);
    }
  });
});

/** Parses curl commands with a shell: method, address and body of each. */
async function argumentsOf(lines: readonly string[]): Promise<(string | undefined)[][]> {
  const script = ["curl() { printf '%s\\000' \"$@\"; printf '\\001'; }", ...lines].join('\n');
  const env = { PATH: process.env['PATH'], SVC: rest.url };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
  const calls = stdout.split('\u0001').slice(0, -1);
  return calls.map((call) => {
    const words = call.split('\0');
    const after = (name: string) => words[words.indexOf(name, 0) + 1];
    return [
      words.includes('-X') ? after('-X') : undefined,
      words.find((word) => word.startsWith('http')),
      words.includes('-d') ? after('-d') : undefined,
    ];
  });
}
