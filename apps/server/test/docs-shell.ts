import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readDocument } from './documents.ts';
import { FAKE_CURL } from './fake-curl.ts';
import { BIN } from './harness.ts';

// A started service stays in the background, and the block continues once it listens.
const SVC = `#!/bin/sh
[ "$1" = serve ] || exec "$NODE" "${BIN}" "$@"
shift
home=$SVC_HOME
before=
for word in "$@"; do
  [ "$before" = --home ] && home=$word
  before=$word
done
"$NODE" "${BIN}" serve --port 0 "$@" >>"$HOME/serve.log" 2>&1 &
echo $! >>"$HOME/pids"
n=0
while [ ! -e "$home/data/instance.json" ] && [ $n -lt 200 ]; do
  sleep 0.05
  n=$((n + 1))
done
[ -e "$home/data/instance.json" ]
`;

// Unlike in a terminal, a refused request is a failure here.
const CURL = `#!/bin/sh
PATH=\${PATH#*:}
command -v curl >/dev/null || exec "$NODE" "\${0%/*}/curl.mjs" "$@"
exec curl --fail-with-body --no-progress-meter "$@"
`;

// The project that the document simulates.
const SIMULATED = readDocument('docs/writing-triggers.md').blocks.find(
  ({ language, heading }) => language === 'yaml' && heading === 'Forecast runs and cost',
);

/** Files that the blocks use. */
const FILES: Readonly<Record<string, string>> = {
  'bin/svc': SVC,
  'bin/curl': CURL,
  'bin/curl.mjs': FAKE_CURL,
  'bin/crontab': '#!/bin/sh\necho "0 3 * * * echo nightly"\n',
  'etc/crontab': '17 * * * * root echo hourly\n',
  '.github/workflows/nightly.yml':
    'on: { schedule: [{ cron: "0 4 * * *" }] }\njobs: { all: { steps: [{ run: echo nightly }] } }\n',
  'demo/project.yaml': SIMULATED?.text ?? '',
  'path/to/project.yaml':
    'triggers:\n  report:\n    trigger: { type: schedule, interval: 1h }\n    run: { prompt: Hi }\n    enabled: true\n',
};

/** A folder in which the blocks of a document run in order. */
export interface DocShell {
  run(text: string): Promise<{ readonly code: number | null; readonly output: string }>;
  close(): void;
}

/** Creates such a folder; `places` are the addresses and folders that replace those of the documents. */
export function openDocShell(
  env: Readonly<Record<string, string>>,
  places: Readonly<Record<string, string>>,
): DocShell {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  const all = { ...places, '/etc/crontab': `${folder}/etc/crontab`, '/srv/': `${folder}/srv/` };
  mkdirSync(join(folder, 'srv'));
  const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(':');
  const base = { PATH, HOME: folder, NODE: process.execPath, TZ: 'UTC', NO_COLOR: '1' };
  return {
    async run(text) {
      const script = Object.entries(all).reduce(
        (done, [from, to]) => done.replaceAll(from, to),
        text,
      );
      const options = { cwd: folder, env: { ...base, ...env }, timeout: 25_000 };
      // With an empty stdin: bash would take a socket for a remote login.
      const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
        ...options,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stderr.on('data', (chunk) => (output += chunk));
      const [code] = await once(child, 'exit');
      return { code, output };
    },
    close() {
      const pids = join(folder, 'pids');
      if (existsSync(pids)) {
        for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) endProcess(Number(pid));
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited.
  }
}
