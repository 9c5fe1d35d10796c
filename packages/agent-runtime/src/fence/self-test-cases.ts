import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANAGE_PREFIX } from '@svc/records';
import type { OperationEffects } from '../decision.ts';
import { write } from './fence-calls.ts';
import type { FenceCase } from './fence-case.ts';

/** A few attempts that verify within two seconds that a runtime enforces the allow-list at all. */
export function selfTestCases(operations: OperationEffects): readonly FenceCase[] {
  const changing = Object.entries(operations)
    .filter(([, { effect }]) => effect !== 'reads')
    .map(([operation]) => ({ name: `${MANAGE_PREFIX}${operation}`, input: {} }));
  return [
    {
      name: 'runs a granted tool',
      capability: { tools: ['Write'] },
      calls: () => [write('inside.txt')],
      expected: { calls: 'works', files: { 'inside.txt': 'written\n' } },
    },
    {
      name: 'runs no command without Bash',
      capability: { tools: ['Read', 'Write'] },
      calls: () => [{ name: 'Bash', input: { command: 'touch ../outside/escaped' } }],
      expected: { calls: 'denied' },
    },
    {
      name: 'writes nothing outside through .. or a link',
      capability: { tools: ['Write'] },
      async setup({ project, outside }) {
        await symlink(outside, join(project, 'link'));
        return undefined;
      },
      calls: () => [write('../outside/escaped.txt'), write('link/escaped.txt')],
      expected: { calls: 'denied' },
    },
    {
      name: 'writes neither project.yaml nor .git',
      capability: { tools: ['Write'] },
      async setup({ project }) {
        await mkdir(join(project, '.git'));
        await writeFile(join(project, 'project.yaml'), 'name: it\n');
        return undefined;
      },
      calls: () => [write('project.yaml'), write('.git/config')],
      expected: { calls: 'denied', files: { 'project.yaml': 'name: it\n', '.git/config': null } },
    },
    {
      name: 'calls no unlisted operation',
      capability: { tools: ['Read'] },
      calls: () => changing.slice(0, 2),
      expected: { calls: 'denied' },
    },
    {
      name: 'fetches nothing from this machine',
      capability: { tools: ['WebFetch'] },
      calls: ({ server }) => [{ name: 'WebFetch', input: { url: `${server}/self-test` } }],
      expected: { calls: 'denied' },
    },
  ];
}
