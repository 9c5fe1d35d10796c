import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  Vary: 'Accept, Accept-Encoding',
});

// Addresses for programs, which never return the page.
const NOT_THE_PAGE = /^\/(api|mcp|\.well-known|assets)(\/|$)/;

const NO_PAGE = `This svc runs, but its page was not built. In its folder, make it with:

  npm run build

The REST interface is at /api/openapi.json.
`;

interface PageFile {
  readonly type: string;
  /** Each form is computed when it is needed first. */
  readonly plain: () => Buffer;
  /** Compressed forms by content coding; null for a small file, which has none. */
  readonly coded: Readonly<Record<'br' | 'gzip', () => Buffer>> | null;
}

/**
 * Serves the built page from memory, compressed as the browser accepts. For other addresses, browsers get `index.html`. Without a
 * built page, browsers get a message.
 */
export function createPage(folder: string): RequestHandler {
  const files = readFolder(folder);
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const opens = opensPage(request);
    const name = files.has(request.path) || !opens ? request.path : '/index.html';
    const file = files.get(name);
    if (file !== undefined) return send(request, response, name, file);
    if (!opens) return next();
    response.status(503).set(PAGE_HEADERS).set('Cache-Control', 'no-store').type('text/plain');
    response.send(NO_PAGE);
  };
}

function send(request: Request, response: Response, name: string, file: PageFile): void {
  const { coded, plain } = file;
  const coding = (['br', 'gzip'] as const).find((each) => request.acceptsEncodings(each));
  const isCoded = coded !== null && coding !== undefined;
  const bytes = isCoded ? coded[coding]() : plain();
  // The names of assets contain a hash of their content.
  const cacheControl = name.startsWith('/assets/')
    ? 'public, max-age=31536000, immutable'
    : 'no-cache';
  response.set(PAGE_HEADERS).set('Content-Type', file.type).set('Cache-Control', cacheControl);
  if (isCoded) response.set('Content-Encoding', coding);
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

// Clients that accept any type, such as curl, do not get the page.
function opensPage(request: Request): boolean {
  return !NOT_THE_PAGE.test(request.path) && request.accepts(['json', 'html']) === 'html';
}

function readFolder(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const bytesIn = (file: string) => (existsSync(file) ? readFileSync(file) : null);
    const br = bytesIn(`${path}.br`);
    const whole = bytesIn(path);
    if (br === null && whole === null) continue;
    const plain = once(() => whole ?? brotliDecompressSync(br ?? ''));
    const coded = br === null ? null : { br: () => br, gzip: once(() => gzipSync(plain())) };
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    files.set(address, { type, plain, coded });
  }
  return files;
}

function once(compute: () => Buffer): () => Buffer {
  let known: Buffer | null = null;
  return () => {
    known ??= compute();
    return known;
  };
}

// The build leaves only the compressed form of large files.
function namesIn(folder: string): Iterable<string> {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(names.map((name) => name.replace(/\.br$/, '')));
}
