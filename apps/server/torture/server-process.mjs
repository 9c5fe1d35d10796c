// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const BIN = new URL('../bin/svc.js', import.meta.url).pathname;
const PLANTED = new URL('planted-server.mjs', import.meta.url).pathname;

/** One life of the real server. Times are real ones, in milliseconds. */
export class ServerProcess {
  /** @param {{ home: string, log: string, clock: Pick<import('./machine-clock.mjs').MachineClock, 'env' | 'offset'>, plant: string | null, env?: Record<string, string> }} place */
  constructor({ home, log, clock, plant, env: more = {} }) {
    const serve = [BIN, 'serve', '--home', home, '--port', '0', '--log-format', 'json'];
    const args = plant === null ? serve : [PLANTED, home, plant];
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/tmp', TZ: 'UTC', ...clock.env, ...more };
    this.spawnedAt = Date.now();
    /** @type {number | null} */
    this.listeningAt = null;
    /** @type {number | null} */
    this.endedAt = null;
    /** @type {string | null} */
    this.url = null;
    this.isKilled = false;
    this.stderr = '';
    this.child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    appendFileSync(
      log,
      `${JSON.stringify({ spawned: this.spawnedAt, pid: this.child.pid, offset: clock.offset })}\n`,
    );
    this.exit = once(this.child, 'exit').then(([code]) => {
      this.endedAt = Date.now();
      appendFileSync(
        log,
        `${JSON.stringify({ ended: this.endedAt, code, killed: this.isKilled })}\n`,
      );
      return /** @type {number | null} */ (code);
    });
    this.listening = this.untilListening(log);
  }

  get isUp() {
    return this.listeningAt !== null && this.endedAt === null && !this.isKilled;
  }

  /** Kills it. */
  async kill() {
    this.isKilled = true;
    this.child.kill('SIGKILL');
    return this.exit;
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.child.kill(signal);
  }

  /** Sends it a request; null if it does not answer. @param {string} method @param {string} path @param {unknown} [body] */
  async send(method, path, body) {
    if (this.url === null) return null;
    const headers = { 'content-type': 'application/json' };
    const options = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    try {
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(this.url + path, { method, signal, ...options });
      return { status: response.status, body: /** @type {any} */ (await response.json()) };
    } catch {
      return null;
    }
  }

  /** Whether it listened before it ended. @param {string} log @returns {Promise<boolean>} */
  untilListening(log) {
    return new Promise((resolve) => {
      createInterface({ input: this.child.stdout }).on('line', (text) => {
        appendFileSync(log, `${text}\n`);
        if (this.listeningAt !== null || !text.includes('"msg":"listening"')) return;
        this.url = JSON.parse(text).url;
        this.listeningAt = Date.now();
        resolve(true);
      });
      void this.exit.then(() => resolve(false));
    });
  }
}
