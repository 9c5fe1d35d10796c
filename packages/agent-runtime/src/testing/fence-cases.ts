import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GRANTABLE_TOOLS, MANAGE_PREFIX } from '@svc/records';
import type { OperationEffects } from '../decision.ts';
import {
  read,
  SAMPLE_NOTEBOOK,
  sampleFiles,
  sampleInput,
  UNCHANGED,
  write,
} from '../fence/fence-calls.ts';
import type { FenceCase, FenceWorld } from '../fence/fence-case.ts';
import { selfTestCases } from '../fence/self-test-cases.ts';
import { escapeCases } from './fence-escape-cases.ts';
import { eventCases } from './fence-event-cases.ts';
import { linkCases, pathCases, swappedLinkCase } from './fence-path-cases.ts';

/** Selects the cases. */
export interface FenceSuite {
  /** Whether subjects have an `openHost`. Without one, cases that need it are left out. Default false. */
  readonly openHost?: boolean;
  /** Whether `Edit` and `NotebookEdit` require that the file was read with `Read`. Default false. */
  readonly readFirst?: boolean;
  /** Whether the runtime refuses to write through links, even to files inside. Default false. */
  readonly refusesLinks?: boolean;
}

/** The complete suite, which every runtime with `toolAllowList: 'enforced'` must pass, for the given operations. */
export function fenceCases(
  operations: OperationEffects,
  { openHost = false, readFirst = false, refusesLinks = false }: FenceSuite = {},
): readonly FenceCase[] {
  const all = [
    ...selfTestCases(operations),
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
      name: `has no ${name} if it is the only unlisted tool`,
      capability: { tools: GRANTABLE_TOOLS.filter((other) => other !== name) },
      setup: sampleFiles,
      calls: () => [{ name, input: sampleInput(name) }],
      expected: { calls: 'denied', files: UNCHANGED },
    }),
  );
  const listed = ['Read', 'Glob', 'Grep', 'Edit', 'Write', 'NotebookEdit', 'Bash'].map(
    (name): FenceCase => ({
      name: `runs ${name} if it is the only listed tool`,
      capability: { tools: [name] },
      setup: sampleFiles,
      calls: () => [{ name, input: sampleInput(name) }],
      expected: { calls: 'works' },
      ...(readFirst && afterRead(name)),
    }),
  );
  const none: FenceCase = {
    name: 'has no tools if the list is empty',
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
    name: `runs ${name} if it and Read are the only listed tools`,
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
      name: 'does not let an agent write to .svc',
      capability: { runsAs: 'agent' },
      calls: () => [write('.svc/triggers/a.md'), write('.SVC/OVERVIEW.md')],
      expected: { calls: 'denied', files: { '.svc/triggers/a.md': null } },
    },
    {
      name: 'lets the keeper write to .svc',
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
      name: 'refuses writing tools under plan',
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
      name: 'runs reading tools under plan',
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
      name: 'starts no turn at the maximum depth',
      capability: { maxSpawnDepth: 2 },
      depth: 2,
      calls: () => [{ name: 'Task', input: sampleInput('Task') }],
      expected: { calls: 'denied' },
    },
  ];
}
