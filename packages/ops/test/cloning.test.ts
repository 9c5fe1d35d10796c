import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import type { Projects } from '@svc/projects';
import { callAs, client, NEVER, outcomeOf } from './calls.ts';
import { NO_TRIGGERS, type World, type WorldOptions, withWorld } from './harness.ts';
import { withRepos } from './repos.ts';

const REPO = 'https://example.com/it.git';
const OWN = `triggers:
  nightly:
    trigger: { type: schedule, interval: 1m }
    run: { prompt: "Do it.", tools: [Bash] }
    enabled: true
schedules:
  old: { type: interval, interval: 1m, prompt: x }
hooksMcpEnabled: true
keeper: { permissionMode: bypassPermissions }
`;
const WISH = { name: 'Cloned', slug: 'cloned', repo: REPO };
const ALL_GATES = { read: true, write: true, projects: true, hooks: true };

function withClones(
  test: (world: World) => Promise<void>,
  before: NonNullable<WorldOptions['projects']> = (projects) => projects,
): Promise<void> {
  let root = '';
  const repos = withRepos(() => root, { [REPO]: OWN });
  const projects = (onDisk: Projects): Projects => before(repos(onDisk));
  return withWorld(
    NO_TRIGGERS,
    async (world) => {
      root = world.root;
      await test(world);
    },
    { projects, gates: ALL_GATES },
  );
}

const REFUSED =
  'invalid: repo is only for people, and for clients with all projects, set_trigger and no maxSpawnDepth. Omit it, or ask a person.';

describe('a project from a repository', () => {
  // proves: clone.refused
  it.each([
    [{ allow: ['*'], projects: ['c*'] }],
    [{ allow: ['*'], denyProjects: ['secret'] }],
    [{ allow: ['*'], maxSpawnDepth: 0 }],
    [{ allow: ['*'], maxSpawnDepth: 8 }],
    [{ allow: ['create_project'] }],
    [{ allow: ['*'], deny: ['set_*'] }],
  ])('is refused to a client with the scope %j', (scope) =>
    withClones(async ({ ops, root }) => {
      const made = await callAs(ops, client(scope), 'create_project', WISH);
      expect(outcomeOf(made)).toBe(REFUSED);
      expect(existsSync(join(root, 'cloned'))).toBe(false);
      const { repo: _, ...empty } = WISH;
      expect((await callAs(ops, client(scope), 'create_project', empty)).ok).toBe(true);
    }),
  );

  // proves: clone.refused
  it('is refused to agents, whichever caller has started them', () =>
    withClones(async ({ ops, root, runtime, until }) => {
      for (const caller of [USER, client({ allow: ['*'] })]) {
        const before = runtime.turns.length;
        await ops.operations.call(
          caller,
          'create_chat',
          { project: 'demo', prompt: 'x' },
          { signal: NEVER },
        );
        const turn = await until(() => runtime.turns[before]);
        const answer = await turn.spec.toolset?.call(
          'mcp__svc_manage__create_project',
          WISH,
          NEVER,
        );
        expect(answer).toMatchObject({
          isError: true,
          text: expect.stringMatching(/^repo is only for people/),
        });
        turn.end();
      }
      expect(existsSync(join(root, 'cloned'))).toBe(false);
    }));

  // proves: clone.disabled
  it('has nothing armed for a client that may make one, and says who made it', () =>
    withClones(async ({ ops, read, clock, runtime }) => {
      const made = await callAs(
        ops,
        client({ allow: ['create_*', 'set_*'] }),
        'create_project',
        WISH,
      );
      expect(made).toMatchObject({
        value: {
          created: true,
          warnings: [
            { path: 'name' },
            { path: 'repo', message: expect.stringContaining('which were disabled') },
            { path: 'repo', message: expect.stringContaining('hooksMcpEnabled. svc removed') },
          ],
        },
      });
      expect(read('cloned/project.yaml')).toBe(
        OWN.replaceAll('true', 'false')
          .replace('old: {', 'old: { enabled: false,')
          .replace('bypassPermissions', 'default'),
      );
      await clock.advance(120_000);
      expect(runtime.turns).toEqual([]);
      for (const args of [{ name: 'nightly' }, { name: 'old', source: 'schedule' }]) {
        const asked = { project: 'cloned', ...args };
        const signal = NEVER;
        const read = await ops.operations.call(USER, 'list_trigger_changes', asked, { signal });
        expect(read.ok && read.value.changes).toMatchObject([
          { kind: 'defined', by: 'client:ci', via: 'client' },
        ]);
      }
    }));

  it('leaves no notes of changes where it cannot be armed', () =>
    withClones(
      async ({ ops, store }) => {
        const made = await ops.operations.call(USER, 'create_project', WISH, { signal: NEVER });
        expect(made).toMatchObject({ error: { code: 'internal' } });
        expect(await store.changes.notes('cloned')).toEqual([]);
      },
      (projects) => ({
        ...projects,
        async snapshot(slug) {
          if (slug === 'cloned') throw new Error('The disk is broken.');
          return projects.snapshot(slug);
        },
      }),
    ));

  it('is as it is for a person', () =>
    withClones(async ({ ops, read, clock, runtime, until }) => {
      expect((await ops.operations.call(USER, 'create_project', WISH, { signal: NEVER })).ok).toBe(
        true,
      );
      expect(read('cloned/project.yaml')).toBe(OWN);
      await clock.advance(60_000);
      (await until(() => runtime.turns[0])).end();
    }));
});
