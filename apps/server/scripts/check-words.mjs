// @ts-check
// Counts words that the vocabulary replaces, and malformed log messages and errors. Each count has a ceiling in words.json that
// only goes down: `node apps/server/scripts/check-words.mjs --lower` lowers the ceilings to the current counts.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packages.mjs';
import { TABLE, table, words } from './words.mjs';

const READ = /\.(?:ts|tsx|mjs|md|ya?ml)$/;
const LOG_MESSAGE =
  /\b(?:log|logger)\??\.(?:debug|info|warn|error)\(\s*(?:\{[^{}]*\}\s*,\s*)?(['"`])((?:\\.|(?!\1).)*)\1/g;
const ERROR_MESSAGE = /\bnew (?:\w*Error|\w*Fault)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const HELP_ROW = /^ {2}summary: '(\S+) /gm;

/** @param {string} path */
function groupOf(path) {
  if (path.startsWith('.changeset/')) return 'changesets';
  if (/\.md$/.test(path)) return 'docs';
  if (/(?:^|\/)(?:test|test-deep|torture|bench)\//.test(path)) return 'tests';
  if (/^apps\/server\/src\/commands\.ts$/.test(path)) return 'help';
  if (/^packages\/cli\/src\/commands\//.test(path)) return 'help';
  return /^(?:packages\/(?:ops|store)|apps\/server\/src)\//.test(path) ? 'inner source' : 'source';
}

/** @param {string} text @param {RegExp} pattern @param {number} group @returns {string[]} */
const captured = (text, pattern, group) => [...text.matchAll(pattern)].map((m) => m[group] ?? '');

/** @param {string} path @param {string} text @returns {[string, number][]} */
function countsOf(path, text) {
  const group = groupOf(path);
  const isSource = ['source', 'inner source', 'help'].includes(group);
  const spared = table.allowed.filter(({ file }) => file === path);
  const read = spared.reduce(
    (rest, { pattern }) => rest.replace(new RegExp(pattern, 'g'), ''),
    text,
  );
  const found = words.map(
    ({ name, pattern }) =>
      /** @type {[string, number]} */ ([name, read.match(pattern)?.length ?? 0]),
  );
  if (isSource) {
    const messages = captured(read, LOG_MESSAGE, 2);
    const wrong = messages.filter((m) => m.length > 80 || /^[A-Z][a-z]/.test(m) || m.endsWith('.'));
    found.push(['log messages out of form', wrong.length]);
    const long = captured(read, ERROR_MESSAGE, 2).filter((m) => m.length > 200);
    found.push(['errors over 200 characters', long.length]);
  }
  if (group === 'help') {
    const wrong = captured(read, HELP_ROW, 1).filter(
      (first) => !table.helpVerbs.includes(first.toLowerCase()),
    );
    found.push(['help rows that start with no verb', wrong.length]);
  }
  return found;
}

/** @returns {import('./words.mjs').Counts} */
function counted() {
  const listed = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
  /** @type {import('./words.mjs').Counts} */
  const counts = {};
  for (const path of listed.stdout.split('\n').filter((name) => READ.test(name))) {
    if (path === 'pnpm-lock.yaml') continue;
    const group = groupOf(path);
    for (const [name, count] of countsOf(path, readFileSync(join(ROOT, path), 'utf8'))) {
      counts[group] = { ...counts[group], [name]: (counts[group]?.[name] ?? 0) + count };
    }
  }
  return counts;
}

const counts = counted();
if (process.argv.includes('--lower')) {
  for (const [group, found] of Object.entries(counts)) {
    const ceilings = table.ceilings[group] ?? {};
    const lowered = Object.entries(found).map(([name, count]) => [
      name,
      Math.min(count, ceilings[name] ?? count),
    ]);
    table.ceilings[group] = Object.fromEntries(lowered.filter(([, count]) => count !== 0));
  }
  writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
}
for (const [group, found] of Object.entries(counts)) {
  for (const [name, count] of Object.entries(found)) {
    const ceiling = table.ceilings[group]?.[name] ?? 0;
    if (count <= ceiling) continue;
    const say = table.words[name]?.say;
    process.stderr.write(
      `${group}: ${name}: ${count} uses, at most ${ceiling}${say ? `. Write: ${say}` : ''}\n`,
    );
    process.exitCode = 1;
  }
}
