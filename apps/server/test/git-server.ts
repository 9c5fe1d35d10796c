import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const fixture = (name: string): string =>
  new URL(`../../../packages/projects/test/fixtures/${name}`, import.meta.url).pathname;

/** A server of one git repository on loopback, over https. */
export interface GitServer {
  /** URL of the repository. */
  readonly url: string;
  /** URL of a repository that does not exist. */
  readonly nowhere: string;
  /** The certificate that clients must trust. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** Creates a repository with the given files and serves it. */
export async function serveGit(files: Readonly<Record<string, string>>): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-git-'));
  seed(join(folder, 'repo.git'), files);
  const certificate = fixture('loopback-cert.pem');
  const server = createServer(
    { key: readFileSync(fixture('loopback-key.pem')), cert: readFileSync(certificate) },
    (request, response) => {
      const file = join(folder, new URL(request.url ?? '/', 'https://x').pathname);
      const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
      if (isFile) response.end(readFileSync(file));
      else response.writeHead(404).end();
    },
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/repo.git`,
    nowhere: `${origin}/gone.git`,
    certificate,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

function seed(bare: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(bare);
  const changes = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const author = 'committer Test <test@example.invalid> 0 +0000';
  git(bare, '', 'init', '--quiet', '--bare', '--initial-branch=main');
  git(
    bare,
    `commit refs/heads/main\n${author}\ndata 0\n${changes.join('')}\ndone\n`,
    'fast-import',
    '--quiet',
    '--done',
  );
  git(bare, '', 'update-server-info');
}

function git(cwd: string, input: string, ...args: string[]): void {
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const done = spawnSync('git', args, { cwd, env, input, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.error ?? done.stderr}`);
}
