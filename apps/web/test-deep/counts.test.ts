import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Project } from '../src/data/api-types.ts';
import { entriesOf, type ProjectTriggers } from '../src/model/entries.ts';
import { stateOfEntries, stateOfHealth } from '../src/model/project-state.ts';
import { eventually, serviceFor } from './harness.ts';

const CRON = 'trigger: { type: schedule, cron: 0 3 * * *, timezone: UTC }';
const BASH = '"```bash\\nexit 3\\n```"';
const RUNS = 'run: { prompt: "```bash\\ntrue\\n```", tools: [Bash] }';

// Each entry is tested in a file of its own, and in one file with all the others.
const TRIGGERS: readonly (readonly [name: string, entry: string, needYou: number])[] = [
  ['armed', `{ ${CRON}, ${RUNS}, enabled: true }`, 0],
  ['off', `{ ${CRON}, ${RUNS} }`, 0],
  ['stepless', `{ ${CRON}, run: { prompt: x }, enabled: true }`, 1],
  ['invalid', '{ trigger: { type: schedule, cron: x }, run: { prompt: x } }', 1],
  ['unready', `{ ${CRON}, run: { promptFile: gone.md }, enabled: true }`, 1],
  ['unready-off', `{ ${CRON}, run: { promptFile: gone.md } }`, 0],
  ['hook', `{ trigger: { type: webhook }, ${RUNS}, enabled: true }`, 1],
  ['event', `{ trigger: { type: event, on: onArchive }, ${RUNS}, enabled: true }`, 0],
  ['fails', `{ ${CRON}, run: { prompt: ${BASH}, tools: [Bash] }, enabled: true }`, 1],
  ['fails-off', `{ ${CRON}, run: { prompt: ${BASH}, tools: [Bash] } }`, 0],
  ['twice', `{ ${CRON}, run: { promptFile: twice.md, tools: [Bash] }, enabled: true }`, 1],
];
const LEGACY = `schedules:
  old: { type: interval, interval: 1h, prompt: "\`\`\`bash\\ntrue\\n\`\`\`", enabled: true }
  old-invalid: { type: interval, interval: 1h }
  old-unready: { type: interval, interval: 1h, promptFile: gone.md, enabled: true }
`;
const fileOf = (entries: readonly string[]): string =>
  `name: Hello\ntriggers:\n${entries.map((entry) => `  ${entry}\n`).join('')}`;
const lineOf = ([name, entry]: (typeof TRIGGERS)[number]): string => `${name}: ${entry}`;

const home = serviceFor({ fires: false });
const { rest } = home;

/** The counts of the service, and the counts that the page derives from its lists. */
async function counted() {
  const answer = await fetch(home.at('/api/projects'));
  const { projects } = (await answer.json()) as { projects: readonly Project[] };
  const project = projects.find(({ slug }) => slug === 'hello');
  if (project === undefined) throw new Error('unknown project');
  const listed = { ...(await rest.ask('/triggers')), ...(await rest.ask('/triggers/runtime')) };
  const page = stateOfEntries(entriesOf('hello', listed as unknown as ProjectTriggers, Date.now()));
  const service = stateOfHealth(project.health, project.faults);
  const counts = ({ word, tone, ...rest }: typeof page) => rest;
  return { page: counts(page), service: counts(service) };
}

/**
 * Waits until the service reports these counts and has armed what the page shows as armed, and expects the page to
 * show the same counts.
 */
async function agree(expected: object): Promise<void> {
  let last = await counted();
  await eventually(async () => {
    last = await counted();
    const { page, service } = last;
    const isCounted = Object.entries(expected).every(
      ([key, value]) => (service as Readonly<Record<string, unknown>>)[key] === value,
    );
    return isCounted && page.armed === service.armed;
  });
  expect(last.service).toMatchObject(expected);
  expect(last.page).toEqual(last.service);
}

// proves: page.counts
it('the service and the page agree on the count of each kind of trigger, alone and together', async () => {
  const prompt = join(home.folder(), 'projects/hello/.svc/triggers/twice.md');
  await writeFile(prompt, '```bash\nexit 3\n```\n');
  await home.write(fileOf(TRIGGERS.map(lineOf)));
  await eventually(
    async () =>
      (await rest.ask('/triggers/runtime').then((answer) => answer['runtime'] as unknown[]))
        .length === 10,
  );
  for (const name of ['fails', 'fails-off', 'twice']) {
    const run = await rest.fire(name);
    await eventually(async () => (await rest.run(run))['state'] === 'ended');
  }
  await rm(prompt);
  for (const each of TRIGGERS) {
    await home.write(fileOf([lineOf(each)]));
    await agree({ total: 1, needYou: each[2], legacyNeedYou: 0, brokenFiles: 0 });
  }
  const all = fileOf(TRIGGERS.map(lineOf)) + LEGACY;
  await home.write(all);
  await agree({ total: 11, needYou: 6, legacyNeedYou: 2, brokenFiles: 0 });
  await home.write(`${all}  "`);
  await agree({ brokenFiles: 1 });
});
