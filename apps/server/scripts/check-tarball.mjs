// @ts-check
// Packs the server and checks its tarball: small, complete, and without development files.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MOST_BYTES = 2_000_000;
const NEEDED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'bin/svc.js',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/locks/linux-x64.node',
  'dist/page/index.html.br',
  'dist/svc-file-helper.js',
  'dist/svc-reader.js',
  'dist/svc-start.js',
  'dist/svc.js',
];
const WANTED =
  /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|bin\/|dist\/(svc[^/]*\.js$|locks\/|page\/|THIRD-PARTY))/;

const folder = mkdtempSync(join(tmpdir(), 'svc-tarball-'));
try {
  const pack = ['-y', '--prefer-offline', 'pnpm@10.34.9', 'pack', '--pack-destination', folder];
  execFileSync('npx', pack, { cwd: fileURLToPath(new URL('../', import.meta.url)), stdio: 'pipe' });
  const file = join(folder, readdirSync(folder)[0] ?? '');
  const tar = (/** @type {string[]} */ ...args) => execFileSync('tar', args, { encoding: 'utf8' });
  const names = tar('-tzf', file)
    .split('\n')
    .filter(Boolean)
    .map((name) => name.replace('package/', ''));
  const manifest = tar('-xzOf', file, 'package/package.json');
  const { size } = statSync(file);
  const faults = [
    ...(size < MOST_BYTES ? [] : [`it has ${size} bytes, of ${MOST_BYTES} at most`]),
    ...NEEDED.filter((name) => !names.includes(name)).map((name) => `it has no ${name}`),
    ...names.filter((name) => !WANTED.test(name)).map((name) => `it has ${name}`),
    ...(/"(workspace|catalog):/.test(manifest) ? ['its manifest names the workspace'] : []),
  ];
  for (const fault of faults) process.stderr.write(`The tarball of the server: ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
