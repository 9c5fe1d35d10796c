import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ZONE } from '../zone.ts';

/** A trigger of the gallery, in YAML flow style. */
interface Entry {
  readonly name: string;
  /** The map `trigger`. */
  readonly when: string;
  readonly steps?: string;
  readonly file?: string;
  readonly tools?: string;
  readonly rest?: string;
  readonly enabled?: boolean;
  /** The map `policy`. */
  readonly policy?: string;
}

const OK = 'Says that all is well.\n\n```bash\necho all is well\n```\n';
const REPORT = `Collect the numbers of the night.

\`\`\`bash
echo "pages: 214"
\`\`\`

\`\`\`bash
echo "disk full: /var/report has 0 bytes left" >&2
exit 2
\`\`\`
`;
const SOMETIMES = `\`\`\`bash
n=$(cat .sometimes 2>/dev/null || echo 0)
echo $((n + 1)) > .sometimes
test $((n % 4)) -ne 2
\`\`\`
`;
// Its list of hosts refuses both.
const BACKUP = `${OK}
\`\`\`bash
curl -s -m 9 https://packages.example.com https://10.0.0.7:8443 || true
\`\`\`
`;
const LONG_PROMPT = `${'Compare what the shop charges with what the price list says, line by line, and say which of them differ; '.repeat(2).slice(0, 200)}\n\n\`\`\`bash\ntrue\n\`\`\`\n`;
const HEBREW = 'סכם את המסמכים שהשתנו היום (docs/index.md) וכתוב שורה לכל אחד.';

const quoted = (text: string): string => JSON.stringify(text);

function entryText(entry: Entry): string {
  const { name, when, steps = OK, file, tools = '[Bash]', rest = '', enabled = true } = entry;
  const policy = entry.policy === undefined ? '' : `    policy: { ${entry.policy} }\n`;
  const what = file === undefined ? `prompt: ${quoted(steps)}` : `promptFile: ${quoted(file)}`;
  return `  ${quoted(name)}:
    trigger: { ${when} }
    run: { ${what}, tools: ${tools}${rest} }
    enabled: ${enabled}
${policy}`;
}

const cron = (expression: string, zone = ZONE): string =>
  `type: schedule, cron: ${quoted(expression)}, timezone: ${zone}`;
const every = (interval: string): string => `type: schedule, interval: ${interval}`;

const WEBSITE: readonly Entry[] = [
  { name: 'heartbeat', when: every('30s'), rest: ', session: resume' },
  { name: 'nightly-report', when: cron('0 3 * * *'), steps: REPORT, tools: '[Read, Grep, Bash]' },
  { name: 'index-search', when: every('6h'), steps: '```bash\nsleep 900\n```\n' },
  { name: 'check-links', when: cron('0 3 * * *'), steps: SOMETIMES, tools: '[Read, Bash]' },
  { name: 'rotate-logs', when: cron('0 3 * * *') },
  { name: 'renew-certificate', when: cron('30 4 * * 1') },
  { name: 'price-comparison', when: cron('15 */4 * * *'), steps: LONG_PROMPT, tools: '[]' },
  { name: 'warm-caches', when: cron('0 * * * *', 'America/New_York') },
  {
    ...{ name: 'backup', when: cron('45 1 * * *', 'America/New_York'), steps: BACKUP },
    ...{ tools: '[Read, Write, Bash]', rest: ', network: [api.github.com, "*.example.org:443"]' },
  },
  { name: 'thumbnails', when: cron('0 3 * * *'), enabled: false },
  { name: 'newsletter', when: cron('0 9 1 * *'), enabled: false },
  { name: 'never-run', when: cron('0 6 29 2 *'), tools: '[Read, Glob, Grep]' },
];

const INVALID = `  weekly-digest:
    trigger: { type: schedule, cron: 0 3 * * }
    run: { prompt: Send the digest., tools: [Read] }
    enabled: true
  sync-inbox:
    trigger: { type: schedule, interval: soon }
    run: { prompt: Sync., tools: [Bash] }
    enabled: true
    policy: { overlap: sometimes }
`;

export const LONG_NAME = 'reconcile-the-quarterly-invoices-of-all-suppliers-with-the-bank1';
export const HEBREW_NAME = 'רענון-מסמכים';
const DOCS: readonly Entry[] = [
  { name: LONG_NAME, when: cron('0 5 * * *'), steps: '```bash\nexit 1\n```\n' },
  { name: HEBREW_NAME, when: cron('0 2 * * *', 'Asia/Jerusalem'), steps: `${HEBREW}\n\n${OK}` },
  { name: 'publish', when: every('6h'), steps: 'Publish what is ready.', tools: '[Read]' },
  { name: 'spell-check', when: every('10s'), file: 'spell-check.md', policy: 'catchUp: none' },
  { name: 'screenshots', when: every('12h'), file: 'comes-later.md', tools: '[Read, Bash]' },
  { name: 'on-archive', when: 'type: event, on: onArchive', tools: '[Read]' },
  ...Array.from({ length: 8 }, (_, at) => ({
    name: `translate-${['de', 'en', 'es', 'fr', 'he', 'it', 'ja', 'pl'][at]}`,
    when: cron(`${at * 5} 3 * * 1-5`),
    tools: '[Read, Write, Edit, Glob, Grep]',
    enabled: at % 3 !== 2,
  })),
];

const HOUSE: readonly Entry[] = [
  { name: 'tidy-branches', when: cron('30 4 * * 1') },
  { name: 'prune-images', when: every('1d') },
  { name: 'check-disk', when: cron('*/30 * * * *') },
  { name: 'report-costs', when: cron('0 7 * * 1-5'), tools: '[]' },
  { name: 'update-dependencies', when: cron('0 2 * * 6'), enabled: false },
  { name: 'archive-chats', when: cron('0 1 * * *') },
  { name: 'measure-speed', when: cron('10 */2 * * *') },
  { name: 'call-me', when: 'type: webhook' },
];
const LEGACY = `schedules:
  old-report:
    { type: cron, cron: "0 8 * * 1-5", prompt: "\`\`\`bash\\necho old\\n\`\`\`", enabled: true }
  old-cleanup: { type: interval, interval: 12h, prompt: Clean up., enabled: false }
`;

function projectText(name: string, entries: readonly Entry[], more = ''): string {
  return `name: ${quoted(name)}\nstatus: active\n\ntriggers:\n${entries.map(entryText).join('')}${more}`;
}

/** `project.yaml` of each gallery project, by slug: forty triggers in all states. */
export const PROJECTS: Readonly<Record<string, string>> = {
  website: projectText('Website', WEBSITE, INVALID),
  docs: projectText('Docs', DOCS, '  broken: { trigger: 5 }\n'),
  house: projectText('House keeping', HOUSE, LEGACY),
};

/** The names of the triggers whose runs end at once, by project, in the order in which they run. */
export const RUN_ONCE: Readonly<Record<string, readonly string[]>> = {
  website: [
    ...Array.from({ length: 7 }, () => ['check-links', 'rotate-logs', 'backup']).flat(),
    ...['warm-caches', 'renew-certificate', 'price-comparison', 'thumbnails', 'heartbeat'],
    ...['nightly-report', 'nightly-report'],
  ],
  docs: ['translate-de', 'translate-en', HEBREW_NAME, 'publish', 'on-archive', LONG_NAME],
  house: ['tidy-branches', 'prune-images', 'check-disk', 'measure-speed', 'check-disk'],
};

/** A project with the given number of failing triggers and ten that work. */
export function brokenProject(count: number): string {
  const failing = Array.from({ length: count }, (_, at) => ({
    name: brokenName(at),
    when: cron(`${at * 5} 3 * * *`),
    steps: REPORT,
  }));
  const well = Array.from({ length: 10 }, (_, at) => ({
    name: `well-${at}`,
    when: cron(`${at} ${at % 3} * * *`),
  }));
  return projectText('Hello', [...failing, ...well]);
}

export const brokenName = (at: number): string => `nightly-report-of-shop-${at + 1}`;

const FILES: Readonly<Record<string, string>> = {
  'docs/.svc/triggers/spell-check.md': OK,
};

/** Writes the projects of a home: `project.yaml` by slug. */
export async function writeProjects(
  home: string,
  projects: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(join(home, 'projects'), { recursive: true });
  const manifests = Object.entries(projects).map(([slug, text]) => [`${slug}/project.yaml`, text]);
  for (const [path = '', text = ''] of [...Object.entries(FILES), ...manifests]) {
    if (!((path.split('/')[0] as string) in projects)) continue;
    const file = join(home, 'projects', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The names of the archived chats of the project docs, where a trigger waits for an archived chat. */
export const CHATS_ARCHIVED = [
  'How is the certificate renewed, and who is notified of it?',
  HEBREW,
];

/** The answer of the agent in the chat of the gallery. */
export const REPORT_CHAT = `# Links of the website

I looked at **214 pages** and found *three* links that lead nowhere:

| page | link | since |
| --- | --- | --- |
| \`/about\` | https://example.org/team | Monday |
| \`/help/a-page-with-a-very-long-address/that-does-not-break/anywhere/at-all.html\` | https://example.org/help | 2 November |

1. Ask the owner of \`/about\`.
2. Take the link out of the help:
   - in English
   - בעברית: הקישור בעמוד העזרה

> Links that work today may be gone tomorrow.

\`\`\`js
const broken = links.filter((link) => link.status >= 400 && !link.ignored && link.page.startsWith('/help/'));
\`\`\`

The next lines count the pages once more.

\`\`\`bash
echo 214 pages; echo 3 broken
\`\`\`

Done: see [the list](https://example.org/list).
`;
