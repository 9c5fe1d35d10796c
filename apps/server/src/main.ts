import { readFile } from 'node:fs/promises';
import { runCli } from './cli.ts';

const manifest = JSON.parse(
  await readFile(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

// The first signal asks for a clean end; a second one is somebody who will not wait.
const stopRequested = new Promise<void>((resolve) => {
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    });
  }
});

const code = await runCli({
  arguments: process.argv.slice(2),
  env: process.env,
  version: manifest.version,
  stopRequested,
  terminal: {
    out: (line) => void process.stdout.write(`${line}\n`),
    error: (line) => void process.stderr.write(`${line}\n`),
  },
});
process.exit(code);
