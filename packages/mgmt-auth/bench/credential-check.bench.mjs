// Compares the time of a credential check with a check that hashes both sides each time, and with a digest lookup
// in a Map, which is fast but leaks information through its time. All run in this process, in turns. Prints how
// many times as long each takes. Exits with 1 if a result is wrong or a check exceeds its limit.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createCredentials } from '../dist/credentials.js';
import { createManagementGate, parseManagementConfig } from '../dist/index.js';

const LIMITS_US = { 1: 5, 20: 5, 100: 20, 1000: 100 };
const ROUNDS = 15;
const MIN_MS = 10;
const tokenOf = (n) => `tok_home_${String(n).padStart(48, '0')}`;
const sha256 = (text) => createHash('sha256').update(text).digest();

const secretsOf = (config) =>
  config.clients.map(({ clientId }) => [clientId, tokenOf(clientId.slice(1))]);

function configOf(size) {
  const ids = Array.from({ length: size }, (_, n) => n);
  const env = Object.fromEntries(ids.map((n) => [`T${n}`, tokenOf(n)]));
  const clients = Object.fromEntries(ids.map((n) => [`c${n}`, { auth: { ref: `env:T${n}` } }]));
  const block = { instanceId: 'home', publicUrl: 'https://svc.example.com', clients };
  return parseManagementConfig(block, env, {}).config;
}

function contenders(config) {
  const credentials = createCredentials(config.clients);
  const gate = createManagementGate(config, { clock: { mono: () => 0 } });
  const known = new Map(secretsOf(config).map(([id, own]) => [sha256(own).toString('hex'), id]));
  const secrets = secretsOf(config);
  return {
    check: (token) => credentials.clientOf(token)?.clientId,
    'Map of digests': (token) => known.get(sha256(token).toString('hex')),
    'hash both sides': (token) => {
      let found;
      for (const [id, own] of secrets) {
        if (timingSafeEqual(sha256(token), sha256(own))) found = id;
      }
      return found;
    },
    'whole gate': (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const verdict = gate({ method: 'POST', headers, remoteAddress: '10.0.0.1', encrypted: true });
      return verdict.ok ? verdict.principal.clientId : undefined;
    },
  };
}

function microseconds(run, token) {
  let calls = 0;
  let spent = 0;
  const begin = performance.now();
  while (spent < MIN_MS) {
    for (let n = 0; n < 20; n += 1) run(token);
    calls += 20;
    spent = performance.now() - begin;
  }
  return (spent * 1000) / calls;
}

let failed = false;
for (const [size, limit] of Object.entries(LIMITS_US).map(([n, us]) => [Number(n), us])) {
  const runs = contenders(configOf(size));
  const tokens = { first: tokenOf(0), last: tokenOf(size - 1), none: tokenOf(size) };
  const best = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      for (const [place, token] of Object.entries(tokens)) {
        const wanted = { first: 'c0', last: `c${size - 1}` }[place];
        if (run(token) !== wanted) failed = true;
        const key = `${name} ${place}`;
        best[key] = Math.min(best[key] ?? Number.POSITIVE_INFINITY, microseconds(run, token));
      }
    }
  }
  for (const name of Object.keys(runs)) {
    const times = Object.keys(tokens).map((place) => {
      const own = best[`${name} ${place}`];
      const ratio = own / best[`check ${place}`];
      return `${place} ${own.toFixed(2)} us (x${ratio.toFixed(1)})`.padEnd(26);
    });
    const label = `${String(size).padStart(5)} clients  ${name.padEnd(21)}`;
    process.stdout.write(`${label} ${times.join('').trimEnd()}\n`);
  }
  if (best['check none'] >= limit) failed = true;
}
if (failed) {
  process.stderr.write('a check gave a wrong answer or was too slow\n');
  process.exit(1);
}
