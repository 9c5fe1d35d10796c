// @ts-check
// Checks the subjects of commits: those after the commit that added this file, or those of a range:
// `node apps/server/scripts/check-commits.mjs main..`. A shallow clone without that commit has nothing to check.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packages.mjs';
import { words } from './words.mjs';

const PARTS = new Set([
  ...readdirSync(join(ROOT, 'packages')),
  ...readdirSync(join(ROOT, 'apps')),
  ...['build', 'ci', 'deploy', 'docs', 'repo'],
]);
const LONGEST = 100;
const NO_VERB = /^(?:an?|the|all|no|what|how|why|who|when|where|which|this|that|it|we|i)$/;
// "added", "adding" and "adds" are no imperatives; these verbs only look inflected.
const INFLECTED = /(?:ed|ing|[^su]s)$/;
const IMPERATIVE = /^(?:bring|embed|feed|need|proceed|seed|shed|speed|spread|string)$/;

/** @param {readonly string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

/** The faults of a subject, with advice. @param {string} subject @returns {string[]} */
function faultsOf(subject) {
  const [, parts, rest] = /^([^:]+): (.+)$/.exec(subject) ?? [];
  if (parts === undefined || rest === undefined) {
    return ['has no package. Write "package: verb what", such as "store: retry a lost claim"'];
  }
  const faults = [];
  const unknown = parts.split(', ').filter((part) => !PARTS.has(part));
  if (unknown.length > 0) {
    faults.push(`"${unknown.join(', ')}" is no package. Use one of: ${[...PARTS].join(', ')}`);
  }
  const [first = ''] = rest.split(/[ ,]/);
  const lower = first.toLowerCase();
  const inflected = INFLECTED.test(lower) && !IMPERATIVE.test(lower);
  if (!/^[a-z-]+$/.test(first) || NO_VERB.test(lower) || inflected) {
    faults.push(`"${first}" is no imperative. Start with a verb in lower case, such as "add"`);
  }
  if (subject.length > LONGEST) {
    faults.push(`has ${subject.length} characters, at most ${LONGEST}. Move details to the body`);
  }
  if (/[.;]$|; /.test(rest)) faults.push('has several subjects or a full stop. Commit each alone');
  for (const { pattern, say } of words) {
    const found = rest.match(pattern);
    if (found !== null) faults.push(`has "${found[0]}". Write: ${say}`);
  }
  return faults;
}

/** The commits after the one that added this file; null if that is unknown. */
function sinceAdded() {
  const path = 'apps/server/scripts/check-commits.mjs';
  const first = git('log', '--diff-filter=A', '--format=%H', '--', path).at(-1);
  return first === undefined ? null : `${first}..HEAD`;
}

const range = process.argv[2] ?? sinceAdded();
const commits = range === null ? [] : git('log', '--no-merges', '--format=%h %s', range);
for (const commit of commits) {
  const [hash = ''] = commit.split(' ', 1);
  for (const fault of faultsOf(commit.slice(hash.length + 1))) {
    process.stderr.write(`${hash}: ${commit.slice(hash.length + 1)}\n  ${fault}\n`);
    process.exitCode = 1;
  }
}
