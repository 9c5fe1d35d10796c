import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GRANTABLE_TOOLS, MANAGE_PREFIX } from '@svc/records';
import type { OperationEffects } from '../decision.ts';
import { canaryCases } from '../fence/canary-cases.ts';
import {
  read,
  SAMPLE_NOTEBOOK,
  sampleFiles,
  sampleInput,
  UNCHANGED,
  write,
} from '../fence/fence-calls.ts';
import type { FenceCase, FenceWorld } from '../fence/fence-case.ts';
import { escapeCases } from './fence-escape-cases.ts';
import { eventCases } from './fence-event-cases.ts';
import { linkCases, pathCases, swappedLinkCase } from './fence-path-cases.ts';

/** Which cases there are. */
export interface FenceSuite {
  /** Whether subjects have an `openHost`; without one, what needs it is left out. Default false. */
  readonly openHost?: boolean;
  /** Whether `Edit` and `NotebookEdit` need `Read`, and a file has to be read before. Default false. */
  readonly readFirst?: boolean;
  /** Whether the runtime refuses to write a file that a link leads to, also one that stays inside. Default false. */
  readonly refusesLinks?: boolean;
}

/** The whole suite: what every runtime that says `toolAllowList: 'enforced'` must hold, over the operations that it was given. */
export function fenceCases(
  operations: OperationEffects,
  { openHost = false, readFirst = false, refusesLinks = false }: FenceSuite = {},
): readonly FenceCase[] {
  const all = [
    ...canaryCases(operations),
    ...toolListCases(readFirst),
    ...pathCases(),
    ...linkCases(refusesLinks),
    swappedLinkCase(),
    ...protectedCases(),
    ...modeCases(operations),
    ...escapeCases(),
    ...eventCases(),
  ];
  return all.filter(({ needsOpenHost }) => openHost || needsOpenHost !== true);
}

function toolListCases(readFirst: boolean): readonly FenceCase[] {
  const unlisted = GRANTABLE_TOOLS.map(
    (name): FenceCase => ({
      name: `has no ${name} where it is the only tool that is not listed`,
      capability: { tools: GRANTABLE_TOOLS.filter((other) => other !== name) },
      setup: sampleFiles,
      calls: () => [{ name, input: sampleInput(name) }],
      expected: { calls: 'denied', files: UNCHANGED },
    }),
  );
  const listed = ['Read', 'Glob', 'Grep', 'Edit', 'Write', 'NotebookEdit', 'Bash'].map(
    (name): FenceCase => ({
      name: `runs ${name} where it is the only tool that is listed`,
      capability: { tools: [name] },
      setup: sampleFiles,
      calls: () => [{ name, input: sampleInput(name) }],
      expected: { calls: 'works' },
      ...(readFirst && afterRead(name)),
    }),
  );
  const none: FenceCase = {
    name: 'has no tool at all where the list is empty',
    capability: { tools: [] },
    setup: sampleFiles,
    calls: () => GRANTABLE_TOOLS.map((name) => ({ name, input: sampleInput(name) })),
    expected: { calls: 'denied', files: UNCHANGED },
  };
  return [...unlisted, ...listed, none];
}

function afterRead(name: string): Partial<FenceCase> {
  const file = { Edit: 'a.txt', NotebookEdit: SAMPLE_NOTEBOOK }[name];
  if (file === undefined) return {};
  return {
    name: `runs ${name} where it and Read are the only tools that are listed`,
    capability: { tools: ['Read', name] },
    before: () => read(file),
  };
}

function protectedCases(): readonly FenceCase[] {
  const closed = [
    'project.yaml',
    'Project.YAML',
    './sub/../project.yaml',
    '.git/config',
    '.GIT/hooks/post-commit',
    'nested/.git/config',
    '.git',
    '.claude/settings.json',
    'nested/.Claude/settings.json',
    'alias/config',
  ];
  const setup = async ({ project }: FenceWorld): Promise<undefined> => {
    await mkdir(join(project, '.git'));
    await symlink('.git', join(project, 'alias'));
    await writeFile(join(project, 'project.yaml'), 'name: it\n');
  };
  return [
    ...(['agent', 'keeper'] as const).map(
      (runsAs): FenceCase => ({
        name: `does not let the ${runsAs} write project.yaml, .git or .claude`,
        capability: { runsAs },
        setup,
        calls: () => closed.map(write),
        expected: {
          calls: 'denied',
          files: { 'project.yaml': 'name: it\n', '.git/config': null, 'nested/.git/config': null },
        },
      }),
    ),
    {
      name: 'does not let an agent write in .svc',
      capability: { runsAs: 'agent' },
      calls: () => [write('.svc/triggers/a.md'), write('.SVC/OVERVIEW.md')],
      expected: { calls: 'denied', files: { '.svc/triggers/a.md': null } },
    },
    {
      name: 'lets the keeper write in .svc',
      capability: { runsAs: 'keeper' },
      calls: () => [write('.svc/triggers/a.md')],
      expected: { calls: 'works', files: { '.svc/triggers/a.md': 'written\n' } },
    },
  ];
}

function modeCases(operations: OperationEffects): readonly FenceCase[] {
  const withEffect = (wanted: string): string[] =>
    Object.entries(operations)
      .filter(([, { effect }]) => effect === wanted)
      .map(([operation]) => `${MANAGE_PREFIX}${operation}`);
  return [
    {
      name: 'only reads under plan',
      capability: { permissionMode: 'plan' },
      setup: sampleFiles,
      calls: () =>
        ['Edit', 'Write', 'NotebookEdit', 'Bash', 'Task', ...withEffect('mutates')].map((name) => ({
          name,
          input: sampleInput(name),
        })),
      expected: { calls: 'denied', files: UNCHANGED },
    },
    {
      name: 'still reads under plan',
      capability: { permissionMode: 'plan' },
      setup: sampleFiles,
      calls: () =>
        ['Read', 'Glob', 'Grep', ...withEffect('reads')].map((name) => ({
          name,
          input: sampleInput(name),
        })),
      expected: { calls: 'works' },
    },
    {
      name: 'starts no turn at spawn depth 0',
      capability: { maxSpawnDepth: 0 },
      calls: () =>
        ['Task', ...withEffect('starts_turn')].map((name) => ({
          name,
          input: sampleInput(name),
        })),
      expected: { calls: 'denied' },
    },
    {
      name: 'starts no turn at the last depth',
      capability: { maxSpawnDepth: 2 },
      depth: 2,
      calls: () => [{ name: 'Task', input: sampleInput('Task') }],
      expected: { calls: 'denied' },
    },
  ];
}
