import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const SERVER = process.env['SVC_DEV_SERVER'] ?? 'http://127.0.0.1:7420';
const SCRIPTS_KIB = 250;
const STYLES_KIB = 15;

export default defineConfig({
  plugins: [react(), firstPageBudget(), compressed()],
  // Vite reads workspace packages from their sources, without a build by `tsc -b`.
  resolve: { conditions: ['@svc/source', 'module', 'browser', 'development|production'] },
  // The Host header stays that of the page: the service compares it with Origin.
  server: { proxy: { '/api': { target: SERVER, changeOrigin: false } } },
  build: {
    // A file inlined as a data: address would need `img-src data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    chunkSizeWarningLimit: 700,
  },
});

/** Writes .br beside every text file. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      for (const entry of await readdir(String(dir), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path);
        if (bytes.length < 1024) continue;
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
      }
    },
  };
}

/** Prints the gzipped size of the first page and of all styles; fails the build when either exceeds its budget. */
function firstPageBudget(): Plugin {
  return {
    name: 'first-page-budget',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const first = firstChunks(bundle);
      const scripts = await kibOf(bundle, (name) => first.has(name));
      const later = await kibOf(bundle, (name) => name.endsWith('.js') && !first.has(name));
      const styles = await kibOf(bundle, (name) => name.endsWith('.css'));
      process.stdout.write(
        `The page, gzipped: first scripts ${scripts} of ${SCRIPTS_KIB} KiB, later ones ${later} KiB, all styles ${styles} of ${STYLES_KIB} KiB.\n`,
      );
      if (scripts > SCRIPTS_KIB) this.error(`The first page is over ${SCRIPTS_KIB} KiB.`);
      if (styles > STYLES_KIB) this.error(`The styles are over ${STYLES_KIB} KiB.`);
    },
  };
}

async function kibOf(
  bundle: Rolldown.OutputBundle,
  isMeant: (name: string) => boolean,
): Promise<number> {
  let bytes = 0;
  for (const [name, made] of Object.entries(bundle)) {
    if (!isMeant(name)) continue;
    const text = made.type === 'chunk' ? made.code : made.source;
    bytes += (await promisify(gzip)(text, { level: 9 })).length;
  }
  return Math.round(bytes / 102.4) / 10;
}

function firstChunks(bundle: Rolldown.OutputBundle): Set<string> {
  const names = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || names.has(name)) return;
    names.add(name);
    for (const next of chunk.imports) add(next);
  };
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk' && chunk.isEntry) add(chunk.fileName);
  }
  return names;
}
