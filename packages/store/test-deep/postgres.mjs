// @ts-check
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Where databases can be made: the server that SVC_TEST_DATABASE_URL names, as a user who may make them, else one that is
 * started here, and ends with this process.
 *
 * @param {{ readonly isDurable?: boolean }} [options] isDurable: what is committed is on the disk; default: it need not be
 * @returns {Promise<{ readonly url: string, close(): Promise<void> }>}
 */
export async function startPostgres({ isDurable = false } = {}) {
  const given = process.env['SVC_TEST_DATABASE_URL'];
  return given ? { url: given, async close() {} } : startOwnPostgres({ isDurable });
}

/**
 * Starts a server that can be stopped and started again; it is fetched from the registry where it is not yet, and ends with
 * this process.
 *
 * @param {{ readonly isDurable?: boolean }} [options]
 */
export async function startOwnPostgres({ isDurable = false } = {}) {
  const installer = here('../../../apps/server/test-deep/install-foreign.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [installer, 'postgres']);
  const env = { ...process.env, SVC_TEST_FSYNC: isDurable ? 'on' : 'off' };
  const keeper = spawn(
    process.execPath,
    [here('postgres-keeper.mjs'), JSON.parse(stdout).postgres],
    { env, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(keeper, 'exit');
  const readLine = async () => {
    const [line] = await Promise.race([
      once(keeper.stdout, 'data'),
      ended.then(() => {
        throw new Error('PostgreSQL did not start.');
      }),
    ]);
    return String(line).trim();
  };
  const ask = async (/** @type {string} */ word) => {
    const answer = readLine();
    keeper.stdin.write(`${word}\n`);
    await answer;
  };
  return {
    url: await readLine(),
    stop: () => ask('stop'),
    /** As stop, but what was not yet written is gone. */
    crash: () => ask('crash'),
    start: () => ask('start'),
    async close() {
      keeper.stdin.end();
      await ended;
    },
  };
}

/**
 * Makes an empty database on a server.
 *
 * @param {string} server its address, as a user who may make databases
 * @returns {Promise<{ readonly url: string, query(text: string): Promise<object[]>, drop(): Promise<void> }>} query asks the
 * database itself
 */
export async function createDatabase(server) {
  const name = `svc_test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await asked(server, `create database ${name} template template0 locale 'C' encoding 'UTF8'`);
  return {
    url: url.href,
    query: (text) => asked(url.href, text),
    async drop() {
      await asked(server, `drop database ${name} with (force)`);
    },
  };
}

/** @param {string} url @param {string} text @returns {Promise<object[]>} */
async function asked(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
