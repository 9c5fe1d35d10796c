// @ts-check
// The dependencies of every published package: write-packages.mjs documents them, check-packages.mjs checks that document.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOrder, libraryIn } from './libraries.mjs';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const TABLE = join(ROOT, 'docs/packages.md');

/** The folders of published packages, relative to the root. */
export const FOLDERS = [
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`),
  'apps/server',
].sort();

export const manifestOf = (/** @type {string} */ folder) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

const isOurs = (/** @type {string} */ name) => name.startsWith('@svc/');

/** The folder of a dependency, resolved as Node does. @param {string} name @param {string} from */
function folderOf(name, from) {
  for (let folder = realpathSync(from); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    try {
      return realpathSync(found);
    } catch {
      // Continue one folder up.
    }
  }
  return null;
}

/**
 * Everything installed with a package: packages of the workspace, and third-party libraries.
 *
 * @param {string} folder
 */
export function broughtBy(folder) {
  /** @type {Set<string>} */
  const ours = new Set();
  /** @type {Map<string, import('./libraries.mjs').Library>} */
  const others = new Map();
  /** @param {string} from */
  const visit = (from) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const found = folderOf(name, from);
      if (found === null) throw new Error(`${name}, which ${from} needs, is not installed.`);
      const library = libraryIn(found);
      const key = `${library.name}@${library.version}`;
      if (ours.has(name) || others.has(key)) continue;
      if (isOurs(name)) ours.add(name);
      else others.set(key, library);
      visit(found);
    }
  };
  visit(join(ROOT, folder));
  return { ours: [...ours].sort(), others: inOrder(others) };
}

const short = (/** @type {string} */ name) => `\`${name.replace('@svc/', '')}\``;

/** @param {string} folder */
function rowOf(folder) {
  const { name, dependencies = {}, peerDependencies = {} } = manifestOf(folder);
  const { ours, others } = broughtBy(folder);
  const direct = Object.keys(dependencies).filter((each) => !isOurs(each));
  const cells = [
    short(name),
    ours.map(short).join(', ') || 'none',
    direct.map(short).join(', ') || 'none',
    String(others.length),
    others.some((library) => library.name === 'ajv') ? 'yes' : 'no',
    Object.keys(peerDependencies).map(short).join(', ') || 'none',
  ];
  return cells;
}

/** The Markdown table of the dependencies of each package. */
export function packagesTable() {
  const head = ['package', 'svc packages', 'own libraries', 'all libraries', 'Ajv', 'peers'];
  const rows = [head, ...FOLDERS.map(rowOf)];
  const widths = head.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) =>
    `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  const [first = head, ...rest] = rows;
  return [
    line(first),
    `| ${widths.map((n) => '-'.repeat(n)).join(' | ')} |`,
    ...rest.map(line),
  ].join('\n');
}

/** The whole page with the table. */
export const packagesPage = () => `# Dependencies of each package

Installing a package installs only the svc packages and third-party libraries in its row; \`server\` bundles everything except the
SQLite driver. \`node apps/server/scripts/write-packages.mjs\` generates this page, and \`npm run check\` fails if it is out of
date.

${packagesTable()}
`;
