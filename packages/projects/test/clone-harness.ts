import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, createSystemClock, silentLogger } from '@svc/core';
import { createProjects, type Projects } from '@svc/projects';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** A local https server of git repositories. */
interface Server {
  /** Address of a path on this server. */
  at(path: string): string;
  /** Called before each response; its result is awaited. */
  before: () => unknown;
  /** Paths that were requested. */
  readonly asked: string[];
  readonly connections: ReadonlySet<Socket>;
}

export interface Place {
  readonly home: string;
  readonly root: string;
  readonly projects: Projects;
  readonly server: Server;
  /** Environment that is given to git. */
  readonly env: Record<string, string>;
  /** Creates a bare repository `<name>.git` that the server serves; content `-> x` creates a link. */
  seed(name: string, files: Readonly<Record<string, string>>): string;
  open(options: { clock?: Clock; timeoutMs?: number; env?: Record<string, string> }): Projects;
  /** Writes an executable file below the home folder. */
  script(name: string, text: string): string;
  /** The content of the projects folder, including staging. */
  remains(): { projects: string[]; staged: string[] };
}

export async function withPlace(test: (place: Place) => Promise<void>): Promise<void> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-clone-')));
  const root = join(home, 'projects');
  mkdirSync(root);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_SSL_CAINFO: fixture('loopback-cert.pem'),
  };
  const served = await serve(home);
  const open: Place['open'] = ({ clock = createSystemClock(), timeoutMs, env: other }) =>
    createProjects(
      { clock, logger: silentLogger },
      {
        root,
        validation: {},
        git: { env: other ?? env, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      },
    );
  const place: Place = {
    home,
    root,
    env,
    server: served.server,
    projects: open({}),
    open,
    seed: (name, files) => seed(home, name, files),
    script(name, text) {
      const file = join(home, name);
      writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      return file;
    },
    remains() {
      const all = readdirSync(root);
      return {
        projects: all.filter((name) => !name.startsWith('.')),
        staged: all.includes('.clones') ? readdirSync(join(root, '.clones')) : [],
      };
    },
  };
  try {
    await test(place);
  } finally {
    await served.close();
    rmSync(home, { recursive: true });
  }
}

export async function until(test: () => boolean): Promise<void> {
  for (let n = 0; n < 500 && !test(); n += 1) await new Promise((done) => setTimeout(done, 10));
  if (!test()) throw new Error('What was waited for did not come.');
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

function seed(home: string, name: string, files: Readonly<Record<string, string>>): string {
  const bare = join(home, `${name}.git`);
  const changes = Object.entries(files).map(([path, content]) => {
    const isLink = content.startsWith('-> ');
    const text = isLink ? content.slice(3) : content;
    return `M ${isLink ? '120000' : '100644'} inline ${path}\ndata ${text.length}\n${text}\n`;
  });
  const author = 'committer Test <test@example.invalid> 0 +0000';
  const commit = `commit refs/heads/main\n${author}\ndata 0\n${changes.join('')}\ndone\n`;
  git(home, '', 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  git(bare, commit, 'fast-import', '--quiet', '--done');
  git(bare, '', 'update-server-info');
  return bare;
}

function git(cwd: string, input: string, ...args: string[]): void {
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const done = spawnSync('git', args, { cwd, env, input, encoding: 'utf8' });
  if (done.error !== undefined) {
    throw new Error('These tests need git in PATH.', { cause: done.error });
  }
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
}

async function serve(folder: string): Promise<{ server: Server; close(): Promise<void> }> {
  const connections = new Set<Socket>();
  const server: Server = { at: () => '', before: () => {}, asked: [], connections };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'https://x').pathname;
    server.asked.push(path);
    await server.before();
    const [, first = '', ...rest] = path.split('/');
    if (first === 'hang') return;
    if (first.startsWith('to:')) {
      const target = `${decodeURIComponent(first.slice(3))}/${rest.join('/')}`;
      response.writeHead(302, { location: target + (request.url?.slice(path.length) ?? '') }).end();
      return;
    }
    const file = join(folder, path);
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (isFile) response.end(readFileSync(file));
    else response.writeHead(404).end();
  };
  const https = createServer(
    {
      key: readFileSync(fixture('loopback-key.pem')),
      cert: readFileSync(fixture('loopback-cert.pem')),
    },
    (request, response) => {
      answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    },
  );
  https.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((ready) => https.listen(0, '127.0.0.1', ready));
  const { port } = https.address() as AddressInfo;
  server.at = (path) => `https://127.0.0.1:${port}/${path}`;
  return {
    server,
    close: () =>
      new Promise((closed) => {
        https.close(() => closed());
        https.closeAllConnections();
      }),
  };
}
