// @ts-check
// Writes a home of this version to test/fixtures/released/VERSION, once for each release, so that later versions are tested with it:
// node apps/server/scripts/write-released-home.mjs. Needs a build.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from '@photostructure/sqlite';

const here = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(here('package.json'), 'utf8'));
const target = here(`test/fixtures/released/${version}`);
if (existsSync(target)) throw new Error(`${target} exists already: released homes never change.`);

const PROJECT = `name: Demo
triggers:
  works:
    trigger: { type: schedule, cron: "0 9 1 1 *", timezone: UTC }
    run: { promptFile: works.md, tools: [Bash], session: resume }
    enabled: true
  breaks:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nexit 3\\n\`\`\`", tools: [Bash] }
    policy: { pauseAfterFailures: 1 }
    enabled: true
  follows:
    trigger: { type: event, on: afterTurn }
    run: { prompt: "\`\`\`bash\\necho followed\\n\`\`\`", tools: [Bash] }
    enabled: true
keeper: { runtime: native }
`;

const home = mkdtempSync(join(tmpdir(), 'svc-released-'));
const svc = (/** @type {string[]} */ ...args) =>
  execFileSync(process.execPath, [here('bin/svc.js'), ...args, '--home', home], {
    encoding: 'utf8',
  });

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** Like `svc`, for a command that must fail. */
function failing(/** @type {string[]} */ ...args) {
  try {
    svc(...args);
  } catch {
    return;
  }
  throw new Error(`${args.join(' ')} should have failed.`);
}

/** Produces runs and records of every kind. */
async function fill() {
  const args = [here('bin/svc.js'), 'serve', '--home', home, '--port', '0', '--log-format', 'json'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  try {
    const lines = createInterface({ input: server.stdout });
    await new Promise((resolve) => {
      lines.on('line', (line) => JSON.parse(line).msg === 'listening' && resolve(null));
    });
    svc('fire', 'demo', 'works', '--wait');
    svc('fire', 'demo', 'works', '--wait');
    failing('fire', 'demo', 'breaks', '--wait');
    failing('send', 'demo', '--new', 'Hello – “there”.', '--wait');
    svc('validate');
    svc('pause', '--reason', 'For a while.');
    svc('resume');
    const { runs } = JSON.parse(svc('runs', '--json'));
    const { chats } = JSON.parse(svc('chats', '--all', '--json'));
    return { runs, chats };
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

/** Everything in a database, as SQL statements. @param {string} file */
function dumped(file) {
  const db = new DatabaseSync(file, { readOnly: true });
  const parts = db
    .prepare(
      `select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`,
    )
    .all();
  const of = (/** @type {string} */ type) => parts.filter((part) => part.type === type);
  const rows = of('table').flatMap(({ name }) => {
    const columns = db.prepare(`pragma table_info("${name}")`).all();
    const cells = columns.map((column) => `quote("${column.name}")`).join(` || ', ' || `);
    const all = db.prepare(`select ${cells} as cells from "${name}"`).all();
    return all.map((row) => `insert into "${name}" values(${row.cells});`);
  });
  const made = (/** @type {string} */ type) => of(type).map(({ sql }) => `${sql};`);
  db.close();
  return `${[...made('table'), ...rows, ...made('index'), ...made('view'), ...made('trigger')].join('\n')}\n`;
}

write('svc.config.yaml', 'limits: { concurrentTurns: 2 }\n');
write('projects/demo/project.yaml', PROJECT);
write('projects/demo/.svc/triggers/works.md', '```bash\necho it works\n```\n');
try {
  const { runs, chats } = await fill();
  mkdirSync(target, { recursive: true });
  for (const path of ['svc.config.yaml', 'projects']) {
    cpSync(join(home, path), join(target, path), { recursive: true });
  }
  writeFileSync(join(target, 'database.sql'), dumped(join(home, 'data/svc.db')));
  const expected = {
    runs: runs.map((/** @type {any} */ { id, trigger, outcome }) => ({ id, trigger, outcome })),
    chats: chats.map((/** @type {any} */ { sessionId, messageCount }) => ({
      sessionId,
      messageCount,
    })),
  };
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
} finally {
  rmSync(home, { recursive: true });
}
