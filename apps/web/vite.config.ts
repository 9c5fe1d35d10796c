import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const SERVER = process.env['SVC_DEV_SERVER'] ?? 'http://127.0.0.1:7420';
const FIRST_PAGE_KIB = 250;

export default defineConfig({
  plugins: [react(), compressed(), firstPageBudget()],
  // Workspace packages are read from their sources: no `tsc -b` is needed before `vite`.
  resolve: { conditions: ['@svc/source', 'module', 'browser', 'development|production'] },
  // Host stays the page's own: the service compares it with Origin and refuses what differs.
  server: { proxy: { '/api': { target: SERVER, changeOrigin: false } } },
  build: {
    // A file turned into a data: address would need `img-src data:` in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    chunkSizeWarningLimit: 700,
  },
});

/** Writes .br and .gz beside every text file: the service sends them as they are. */
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
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
      }
    },
  };
}

/** Fails the build when the entry and what it imports at once are too heavy. */
function firstPageBudget(): Plugin {
  return {
    name: 'first-page-budget',
    apply: 'build',
    async generateBundle(_options, bundle) {
      let bytes = 0;
      for (const name of firstChunks(bundle)) {
        const chunk = bundle[name];
        if (chunk?.type === 'chunk') bytes += (await promisify(gzip)(chunk.code)).length;
      }
      const kib = Math.round(bytes / 102.4) / 10;
      this.info(`first page: ${kib} KiB of gzipped JavaScript`);
      if (kib > FIRST_PAGE_KIB) this.error(`The first page is over ${FIRST_PAGE_KIB} KiB.`);
    },
  };
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
