// @ts-check
// Asks the registry for known vulnerabilities of shipped libraries. Exits with 0 if there are none, with 1 if there are some, and with
// 3, "not checked", if the registry does not answer.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { shippedLibraries } from './shipped.mjs';

const WAIT_MS = 30_000;
const NOT_CHECKED = 3;

/**
 * @typedef {{ title: string, severity: string, url: string, vulnerable_versions: string }} Advisory
 * @typedef {{ state: 'fine' | 'found' | 'not_checked', lines: string[] }} Audit
 */

/**
 * Known vulnerabilities of versions of packages, from the bulk advisories of a registry, which `npm audit` uses too.
 *
 * @param {ReadonlyMap<string, string[]>} versions by name
 * @param {string} registry
 * @returns {Promise<Audit>}
 */
export async function auditOf(versions, registry) {
  const url = `${registry.replace(/\/$/, '')}/-/npm/v1/security/advisories/bulk`;
  /** @type {Record<string, Advisory[]>} */
  let advisories;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(Object.fromEntries(versions)),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (!response.ok) return notChecked(`the registry answered ${response.status}`);
    advisories = await response.json();
  } catch (error) {
    return notChecked(`the registry is unavailable (${/** @type {Error} */ (error).message})`);
  }
  if (advisories === null || typeof advisories !== 'object' || Array.isArray(advisories)) {
    return notChecked('the registry sent an unexpected answer');
  }
  const lines = Object.entries(advisories).flatMap(([name, found]) =>
    found.map(
      ({ severity, title, vulnerable_versions: range, url: place }) =>
        `${name} ${versions.get(name)?.join(', ')}: ${severity}: ${title} (${range}) ${place}`,
    ),
  );
  if (lines.length > 0) return { state: 'found', lines };
  return { state: 'fine', lines: [`no known vulnerabilities in ${versions.size} libraries`] };
}

/** @param {string} why @returns {Audit} */
const notChecked = (why) => ({ state: 'not_checked', lines: [`not checked: ${why}`] });

async function main() {
  /** @type {Map<string, string[]>} */
  const versions = new Map();
  for (const { name, version } of shippedLibraries()) {
    versions.set(name, [...(versions.get(name) ?? []), version]);
  }
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const { state, lines } = await auditOf(versions, registry);
  for (const line of lines) process.stdout.write(`audit: ${line}\n`);
  process.exitCode = { fine: 0, found: 1, not_checked: NOT_CHECKED }[state];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
