import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { resolveSettings, SETTING_TABLE } from '@svc/settings';
import { TRIGGER_DEFAULTS, triggerPutSchema, validateTrigger } from '@svc/trigger-schema';
import { parse, parseAllDocuments } from 'yaml';
import { type DocShell, openDocShell } from './docs-shell.ts';
import { type Block, DOCUMENTS, GUIDES, linksOf, ROOT, readDocument } from './documents.ts';
import { type OpenHome, openHome, type Running } from './harness.ts';
import { flat, pattern, printedBy } from './readme-examples.ts';

jest.setTimeout(60_000);

const blocks = GUIDES.flatMap((document) => readDocument(document).blocks);
const inLanguage = (...languages: string[]): Block[] =>
  blocks.filter(({ language }) => languages.includes(language));
const place = ({ document, line }: Block): string => `${document}:${line}`;
const placed = (list: readonly Block[]) => list.map((block) => [place(block), block] as const);

const HELLO = `triggers:
  heartbeat:
    trigger: { type: schedule, interval: 12h }
    run:
      tools: [Bash]
      prompt: |
        \`\`\`bash
        echo alive
        \`\`\`
    enabled: true
  report:
    trigger: { type: schedule, interval: 24h }
    run: { prompt: Nothing to do. }
    enabled: true
`;

const TOKEN_CI = 'tok_home_0123456789abcdef0123456789abcdef';
const TOKEN = 'an-access-token-for-the-documents';

/** The svc.config.yaml of a document. */
const configOf = (document: string): string =>
  blocks.find((block) => block.document === document && isConfig(block))?.text ?? '';

const isConfig = ({ language, text }: Block): boolean =>
  language === 'yaml' && text.startsWith('# svc.config.yaml');
const isProject = ({ language, text }: Block): boolean =>
  language === 'yaml' && text.startsWith('# project.yaml');
const isWorkflow = ({ language, text }: Block): boolean =>
  language === 'yaml' && text.startsWith('# .github/workflows/');

describe('every command in the docs', () => {
  const homes: OpenHome[] = [];
  const shells = new Map<string, DocShell>();
  let open: Running;
  let closed: Running;
  const start = (config: string, env: Record<string, string>) => {
    const home = openHome();
    homes.push(home);
    home.write('projects/hello/project.yaml', HELLO);
    home.write('svc.config.yaml', config);
    return home.serve(env);
  };
  beforeAll(async () => {
    const [mode = ''] = configOf('docs/hosting.md').split('---');
    [open, closed] = await Promise.all([
      start(configOf('docs/calling-mcp.md'), { SVC_TOKEN_CI: TOKEN_CI }),
      start(mode, { SVC_ACCESS_TOKEN: TOKEN }),
    ]);
  });
  afterAll(async () => {
    for (const shell of shells.values()) shell.close();
    for (const home of homes) await home.close();
  });

  /** The shell of a document; docs/hosting.md sets up authentication, so its shell needs a token. */
  function shellOf(document: string): DocShell {
    const [one, other] = homes;
    const isClosed = document === 'docs/hosting.md';
    const home = (isClosed ? other : one)?.home ?? '';
    const env = {
      SVC_HOME: home,
      SVC_TOKEN_CI: TOKEN_CI,
      SVC_ACCESS_TOKEN: TOKEN,
      SVC_URL: open.url,
    };
    const places = {
      'http://127.0.0.1:7420': isClosed ? closed.url : open.url,
      'https://svc.example.com': closed.url,
      './.svc-home': home,
    };
    const shell = shells.get(document) ?? openDocShell(env, places);
    shells.set(document, shell);
    return shell;
  }

  const run = inLanguage('sh').filter(({ needs }) => needs === null);

  it.each(placed(run))('runs: %s', async (_place, { document, text }) => {
    const { code, output } = await shellOf(document).run(text);
    expect([code, output]).toEqual([0, output]);
  });

  it('prints what the document shows below it: a simulation', async () => {
    const [shown, ...others] = inLanguage('').filter(({ text }) =>
      /^TRIGGER .* SLOTS /m.test(text),
    );
    expect(others).toEqual([]);
    const command = run.find(({ text }) => text.startsWith('svc simulate demo/'));
    const { output } = await shellOf(command?.document ?? '').run(command?.text ?? '');
    expect(output.trimEnd()).toBe(shown?.text);
  });

  it.each(placed(blocks.filter(isWorkflow)))('runs as a step: %s', async (_place, block) => {
    const { jobs } = parse(block.text) as { jobs: Record<string, { steps: { run: string }[] }> };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      const { code, output } = await shellOf(block.document).run(step.run);
      expect([code, output]).toEqual([0, output]);
    }
  });

  it('is in a block of its language, or names what it needs when it is not run', () => {
    const languages = ['sh', 'yaml', 'json', 'js', 'sql', ''];
    expect(blocks.filter(({ language }) => !languages.includes(language)).map(place)).toEqual([]);
    const COMMAND =
      /^(svc (?!is )|npm|npx|node|git|curl|docker|sudo|systemctl|kill|cd|export|alias|claude )/m;
    expect(
      inLanguage('')
        .filter(({ text }) => COMMAND.test(text))
        .map(place),
    ).toEqual([]);
    expect(run.length).toBeGreaterThan(8);
    expect(blocks.filter(({ needs }) => needs === '').map(place)).toEqual([]);
  });
});

describe('every YAML block', () => {
  const isPrometheus = ({ language, text }: { language: string; text: string }): boolean =>
    language === 'yaml' && text.startsWith('# prometheus.yml\n');

  it('is for svc.config.yaml, a project.yaml, a workflow or Prometheus, as its first line says', () => {
    const others = inLanguage('yaml').filter(
      (block) => ![isConfig, isProject, isWorkflow, isPrometheus].some((is) => is(block)),
    );
    expect(others.map(place)).toEqual([]);
  });

  it('for Prometheus matches the example in deploy/', () => {
    const example = readFileSync(join(ROOT, 'deploy/observability/prometheus.yml'), 'utf8');
    const found = blocks.filter(isPrometheus);
    expect(found).toHaveLength(1);
    for (const { text } of found) expect(parse(example)).toMatchObject(parse(text));
  });

  it.each(placed(blocks.filter(isConfig)))('for the service is valid: %s', (_place, { text }) => {
    for (const document of parseAllDocuments(text)) {
      const file = document.toString();
      const resolved = resolveSettings({ file, env: {}, flags: {} });
      expect(resolved).toMatchObject({ ok: true, warnings: [] });
    }
  });

  it('for a project passes svc validate', async () => {
    const home = openHome();
    try {
      for (const [index, { text }] of blocks.filter(isProject).entries()) {
        home.write(`projects/p${index}/project.yaml`, text);
        home.write(`projects/p${index}/.svc/triggers/report.md`, 'Hi');
        home.write(`projects/p${index}/.svc/triggers/decided.md`, 'Hi');
      }
      const { code, out, error } = await home.run('validate');
      expect([code, out, error]).toEqual([0, out, '']);
    } finally {
      await home.close();
    }
  });
});

it.each(placed(inLanguage('json')))('JSON is valid: %s', (_place, { text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

const programs = inLanguage('js').filter(({ needs }) => needs === null);

it.each(placed(programs))(
  'a program prints what the document shows: %s',
  async (_place, { text, heading }) => {
    const folder = mkdtempSync(join(ROOT, 'packages', heading, 'dist/docs-'));
    try {
      writeFileSync(join(folder, 'example.mjs'), text);
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'example.mjs')]);
      const lines = printedBy(text);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(flat(stdout)).toMatch(pattern(flat(line)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

const below = <T>(section: string, fields: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${section}.${name}`, value]));

const moved = (text: string, by: number): string =>
  text.replace(/^\d+/, (number) => String(Number(number) + by));

/** A trigger that is valid except, possibly, for this field. */
function withField(field: string, text: string): object {
  const [section = '', name = ''] = field.split('.');
  const value = /^-?\d+$/.test(text) ? Number(text) : text;
  const base = {
    trigger: { type: 'schedule', interval: '1h' },
    run: { prompt: 'Hi' },
    policy: {},
  };
  return { ...base, [section]: { ...base[section as keyof typeof base], [name]: value } };
}

describe('the page of settings', () => {
  const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');

  it('is what node apps/server/scripts/write-settings.mjs writes', async () => {
    const script = join(ROOT, 'apps/server/scripts/settings-page.mjs');
    const { settingsPage } = (await import(script)) as { settingsPage(of: object): string };
    expect(page).toBe(settingsPage(SETTING_TABLE));
  });

  it.each(SETTING_TABLE.map(({ key, env }) => [key, env] as const))('has %s', (key, env) => {
    const isOf = (line: string) =>
      line.startsWith(`| \`${key}\``) || line.startsWith(`| \`${key}.`);
    const rows = page.split('\n').filter(isOf);
    expect(rows).not.toEqual([]);
    for (const name of env) expect(rows.join()).toContain(`\`${name}\``);
    for (const row of rows) expect(row).toMatch(/\. +\|$/);
  });
});

describe('the table of trigger fields', () => {
  const [, after = ''] = readDocument('docs/writing-triggers.md').prose.split('\n## Every field\n');
  const [prose = ''] = after.split('\n## ');
  const rows = [...prose.matchAll(/^\| `([\w.]+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, field = '', values = '', absent = '']) => ({ field, values, absent }),
  );
  const { trigger, run, policy, enabled } = triggerPutSchema.properties;
  const schemas: Record<string, { readonly enum?: readonly (string | null)[] }> = {
    ...below('trigger', trigger.properties),
    ...below('run', run.properties),
    ...below('policy', policy.properties),
    enabled,
  };
  const defaults: Record<string, unknown> = {
    ...below('run', TRIGGER_DEFAULTS.run),
    ...below('policy', TRIGGER_DEFAULTS.policy),
    enabled: false,
  };
  const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

  it('has each field once', () => {
    expect(rows.map(({ field }) => field).sort()).toEqual(Object.keys(schemas).sort());
  });

  it.each(rows)('contains the default of $field', ({ field, absent }) => {
    const known = defaults[field];
    if (known === undefined) return;
    expect(codes(absent)[0]).toBe(typeof known === 'string' ? known : JSON.stringify(known));
  });

  it.each(rows)('contains the values of $field', ({ field, values }) => {
    const words = schemas[field]?.enum;
    if (words !== undefined)
      expect(codes(values).sort()).toEqual(words.filter((word) => word !== null).sort());
  });

  it.each(rows.filter(({ values }) => /` (to|or more)/.test(values)))(
    'contains the limits of $field',
    ({ field, values }) => {
      const [, least = '', most] = /`(\w+)` (?:to `(\w+)`|or more)/.exec(values) ?? [];
      const taken = (text: string): boolean => validateTrigger(withField(field, text)).ok;
      expect([least, taken(least), taken(moved(least, -1))]).toEqual([least, true, false]);
      if (most === undefined) return;
      expect([most, taken(most), taken(moved(most, 1))]).toEqual([most, true, false]);
    },
  );
});

describe('every link', () => {
  it.each(DOCUMENTS)('of %s leads to an existing target', (document) => {
    const broken = linksOf(document).filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true;
      if (anchor === null) return false;
      return !statSync(join(ROOT, path)).isFile() || !readDocument(path).anchors.has(anchor);
    });
    expect(broken.map(({ text }) => text)).toEqual([]);
  });

  it('from the index reaches each guide', () => {
    const reached = linksOf('docs/README.md').map(({ path }) => path);
    expect(
      GUIDES.filter((document) => !['README.md', 'docs/README.md', ...reached].includes(document)),
    ).toEqual([]);
  });
});

it('every path in CONTRIBUTING.md exists', () => {
  const { prose } = readDocument('CONTRIBUTING.md');
  const paths = [...prose.matchAll(/`((?:packages|apps|docs)\/[\w./-]+)`/g)].map(
    ([, path]) => path,
  );
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(ROOT, path ?? '')))).toEqual([]);
});

describe('every threat', () => {
  const rows = readDocument('docs/security.md')
    .prose.split('\n')
    .filter((line) => /^\| MCP\d\d /.test(line));

  it('of the OWASP MCP Top 10 has a row', () => {
    const ids = Array.from(
      { length: 10 },
      (_, index) => `MCP${String(index + 1).padStart(2, '0')}`,
    );
    expect(rows.map((row) => row.slice(2, 7))).toEqual(ids);
  });

  it.each(rows.map((row) => [row.slice(2, 7), row] as const))(
    'of %s cites existing tests',
    (_id, row) => {
      const cited = [...row.matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)];
      expect(cited.length).toBeGreaterThan(0);
      for (const [, path = '', name = ''] of cited) {
        const text = readFileSync(join(ROOT, path), 'utf8');
        const isTitle = text.split(`'${name}'`).some((before) => /\(\s*$/.test(before));
        expect([path, isTitle ? name : 'is not there']).toEqual([path, name]);
      }
    },
  );
});
