import { execFile } from 'node:child_process';
import { mkdir, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { everyFileTool, read, write } from '../fence/fence-calls.ts';
import type { FenceCase, FenceWorld } from '../fence/fence-case.ts';

/** Escapes through paths. */
export function pathCases(): readonly FenceCase[] {
  return [
    {
      name: 'does not leave the folder through ..',
      capability: {},
      calls: () => [
        ...everyFileTool('../outside'),
        ...everyFileTool('sub/../../outside'),
        { name: 'Glob', input: { pattern: '../outside/*' } },
      ],
      expected: { calls: 'denied' },
    },
    {
      name: 'does not leave the folder through an absolute path',
      capability: {},
      calls: ({ outside }) => everyFileTool(outside),
      expected: { calls: 'denied' },
    },
    {
      name: 'does not leave the folder through /proc',
      capability: {},
      calls: () => [
        read('/proc/self/environ'),
        read('/proc/self/cwd/package.json'),
        write('/proc/self/comm'),
      ],
      expected: { calls: 'denied' },
    },
    {
      name: 'does not reveal whether a file outside exists',
      capability: {},
      calls: () => [read('../outside/secret.txt'), read('../outside/absent.txt')],
      expected: { calls: 'denied', alike: true },
    },
    {
      name: 'refuses a NUL in a path',
      capability: {},
      calls: () => [read('a\0.txt'), write('a\0.txt')],
      expected: { calls: 'denied' },
    },
    {
      name: 'accepts an absolute path inside the folder',
      capability: {},
      calls: ({ project }) => [
        write(join(project, 'deep/new.txt')),
        read(`${project}/deep/new.txt`),
      ],
      expected: { calls: 'works', files: { 'deep/new.txt': 'written\n' } },
    },
    {
      name: 'does not block on a pipe',
      capability: {},
      async setup({ project }) {
        await promisify(execFile)('mkfifo', [join(project, 'pipe')]);
        return undefined;
      },
      calls: () => [read('pipe'), write('pipe')],
      expected: { calls: 'fails' },
    },
  ];
}

/** Escapes through links. */
export function linkCases(refusesLinks: boolean): readonly FenceCase[] {
  return [
    {
      name: 'does not follow a link to a file outside',
      capability: {},
      async setup({ project, outside }) {
        await symlink(join(outside, 'secret.txt'), join(project, 'absolute'));
        await symlink('../outside/secret.txt', join(project, 'relative'));
        await symlink('relative', join(project, 'chained'));
        return undefined;
      },
      calls: () =>
        ['absolute', 'relative', 'chained'].flatMap((name) => [
          read(name),
          write(name),
          { name: 'Grep', input: { pattern: 'secret', path: name, output_mode: 'content' } },
        ]),
      expected: { calls: 'denied' },
    },
    {
      name: 'does not follow a link to a folder outside',
      capability: {},
      async setup({ project, outside }) {
        await symlink(outside, join(project, 'absolute'));
        await symlink('../outside', join(project, 'relative'));
        return undefined;
      },
      calls: () => [...everyFileTool('absolute'), ...everyFileTool('relative')],
      expected: { calls: 'denied' },
    },
    {
      name: 'does not search through a link to a folder outside',
      capability: {},
      async setup({ project, outside }) {
        await symlink(outside, join(project, 'away'));
        return undefined;
      },
      calls: () => [
        { name: 'Glob', input: { pattern: '**/secret*' } },
        { name: 'Grep', input: { pattern: 'secret', output_mode: 'content' } },
      ],
      expected: { calls: 'works' },
    },
    {
      name: 'does not reveal through a link whether a file outside exists',
      capability: {},
      async setup({ project }) {
        await symlink('../outside/secret.txt', join(project, 'present.txt'));
        await symlink('../outside/nothing.txt', join(project, 'dangling.txt'));
        return undefined;
      },
      calls: () => [read('present.txt'), read('dangling.txt')],
      expected: { calls: 'denied', alike: true },
    },
    {
      name: 'follows a link that stays inside',
      capability: {},
      setup: linksInside,
      calls: () => [
        write('folder/new.txt'),
        read('file'),
        ...(refusesLinks ? [] : [write('file')]),
      ],
      expected: { calls: 'works', files: { 'real/new.txt': 'written\n' } },
    },
    ...(refusesLinks ? [refusedLinkCase()] : []),
  ];
}

async function linksInside({ project }: FenceWorld): Promise<undefined> {
  await mkdir(join(project, 'real'));
  await symlink('real', join(project, 'folder'));
  await symlink(join(project, 'real/new.txt'), join(project, 'file'));
  return undefined;
}

function refusedLinkCase(): FenceCase {
  return {
    name: 'refuses to write a file through a link',
    capability: {},
    setup: linksInside,
    calls: () => [write('file')],
    expected: { calls: 'denied', files: { 'real/new.txt': null } },
  };
}

/** Checks under concurrent changes of links. */
export function swappedLinkCase(): FenceCase {
  return {
    name: 'stays inside while a folder is repeatedly replaced with a link to the outside',
    capability: {},
    async setup({ project, outside }) {
      const place = join(project, 'place');
      await mkdir(place);
      await symlink(outside, join(project, 'link'));
      return swapping(place, join(project, 'link'), join(project, 'aside'));
    },
    calls: () =>
      Array.from({ length: 12 }, () => [read('place/secret.txt'), write('place/new.txt')]).flat(),
    expected: { calls: 'any' },
  };
}

function swapping(place: string, link: string, aside: string): () => Promise<void> {
  let on = true;
  const loop = async (): Promise<void> => {
    while (on) {
      await rename(place, aside);
      await rename(link, place);
      await rename(place, link);
      await rename(aside, place);
    }
  };
  // A file tool may create the missing folder again while it is renamed, which ends the loop early.
  const done = loop().catch(() => unlink(link).catch(() => {}));
  return async () => {
    on = false;
    await done;
  };
}
