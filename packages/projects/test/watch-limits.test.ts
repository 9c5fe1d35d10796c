import { type FSWatcher, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger, type FakeClock } from '@svc/core/testing';
import { createProjects, type Projects, type WatchFolder } from '@svc/projects';
import { PROJECT } from './harness.ts';

/** A machine with room for that many watches. */
function roomFor(room: { left: number; code: string }): WatchFolder {
  return (folder, onEvent): FSWatcher => {
    if (room.left === 0) throw Object.assign(new Error(`${room.code}: watch`), { code: room.code });
    room.left -= 1;
    const watcher = watch(folder, onEvent);
    const close = watcher.close.bind(watcher);
    watcher.close = () => {
      room.left += 1;
      close();
    };
    return watcher;
  };
}

interface Crowded {
  readonly root: string;
  readonly projects: Projects;
  readonly clock: FakeClock;
  readonly logger: ReturnType<typeof createMemoryLogger>;
  readonly room: { left: number; code: string };
  readonly seen: string[];
  write(slug: string, text: string): void;
}

async function withRoom(
  room: Crowded['room'],
  slugs: readonly string[],
  test: (crowded: Crowded) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'svc-watch-'));
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const seen: string[] = [];
  const write = (slug: string, text: string): void => {
    mkdirSync(join(root, slug), { recursive: true });
    writeFileSync(join(root, slug, 'project.yaml'), text);
  };
  for (const slug of slugs) write(slug, PROJECT);
  const projects = createProjects(
    { clock, logger },
    { root, validation: {}, watchFolder: roomFor(room) },
  );
  const stop = await projects.watch((slug) => void seen.push(slug));
  try {
    await test({ root, projects, clock, logger, room, seen, write });
  } finally {
    await stop();
    rmSync(root, { recursive: true });
  }
}

const until = async (test: () => boolean): Promise<void> => {
  for (let n = 0; n < 2000 && !test(); n += 1) await new Promise((r) => setTimeout(r, 5));
};

describe('a machine without room for more watches', () => {
  // proves: scale.watch-limit.said
  it.each([
    [{ left: 2, code: 'ENOSPC' }, 'fs.inotify.max_user_watches', 2],
    [{ left: 0, code: 'EMFILE' }, 'fs.inotify.max_user_instances', 3],
    [{ left: 2, code: 'EMFILE' }, 'nofile', 2],
  ])('reports once which limit is reached and how to raise it: %j', (room, limit, count) =>
    withRoom(room, ['a', 'b', 'c'], async ({ projects, logger }) => {
      const reported = logger.lines.filter(({ fields }) => fields['limit'] !== undefined);
      expect(reported).toMatchObject([{ level: 'warn', fields: { limit } }]);
      expect(projects.limitedWatch).toMatchObject({ projects: count, seconds: 1 });
      expect(projects.limitedWatch?.reason).toContain(limit);
    }),
  );

  // proves: scale.watch-limit.followed
  it('finds edits, new projects and removed ones by polling', () =>
    withRoom({ left: 0, code: 'ENOSPC' }, ['a', 'b'], async ({ root, clock, seen, write }) => {
      const waitFor = async (slug: string, change: () => void): Promise<void> => {
        seen.length = 0;
        change();
        for (let n = 0; n < 200 && seen.length === 0; n += 1) {
          await clock.advance(1000);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        expect(seen).toEqual([slug]);
      };
      await waitFor('a', () => write('a', `${PROJECT}# edited\n`));
      await waitFor('b', () => write('b', PROJECT));
      await waitFor('fresh', () => write('fresh', PROJECT));
      await waitFor('fresh', () => write('fresh', `${PROJECT}# edited\n`));
      await waitFor('a', () => rmSync(join(root, 'a'), { recursive: true }));
    }));

  it('polls at most 500 a second, in turn', async () => {
    const slugs = Array.from({ length: 1200 }, (_, n) => `p${n}`);
    await withRoom({ left: 1, code: 'ENOSPC' }, slugs, async ({ projects, clock, seen, write }) => {
      expect(projects.limitedWatch).toMatchObject({ projects: 1200, seconds: 3 });
      for (const slug of slugs) write(slug, `${PROJECT}# edited\n`);
      await clock.advance(1000);
      expect(seen).toHaveLength(500);
      await clock.advance(2000);
      expect(new Set(seen)).toEqual(new Set(slugs));
    });
  });

  // proves: scale.watch-limit.recovers
  it('watches again when there is room', () =>
    withRoom({ left: 2, code: 'ENOSPC' }, ['a', 'b', 'c'], async (crowded) => {
      const { projects, clock, logger, room, seen, write } = crowded;
      room.left = 1;
      await clock.advance(60_000);
      expect(projects.limitedWatch).toMatchObject({ projects: 1 });
      room.left = 1;
      await clock.advance(60_000);
      expect(projects.limitedWatch).toBeNull();
      expect(logger.lines.at(-1)?.message).toBe('all projects watched again');
      seen.length = 0;
      write('c', `${PROJECT}# edited\n`);
      await until(() => seen.length > 0);
      expect(new Set(seen)).toEqual(new Set(['c']));
    }));
});

describe('a folder that other machines write to', () => {
  // proves: nodes.swept
  it('is polled, because the kernel does not report their changes', async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-swept-'));
    const clock = createFakeClock();
    const write = (slug: string, text: string): void => {
      mkdirSync(join(root, slug), { recursive: true });
      writeFileSync(join(root, slug, 'project.yaml'), text);
    };
    write('a', PROJECT);
    const silent: WatchFolder = () => watch(root, { persistent: false }).removeAllListeners();
    const projects = createProjects(
      { clock, logger: createMemoryLogger() },
      { root, validation: {}, watchFolder: silent, isShared: true },
    );
    const seen: string[] = [];
    const stop = await projects.watch((slug) => void seen.push(slug));
    write('a', `${PROJECT}\n# by another machine\n`);
    await clock.advance(1000);
    expect(seen).toEqual(['a']);
    write('b', PROJECT);
    await clock.advance(5000);
    await until(() => seen.includes('b'));
    expect(seen).toEqual(['a', 'b']);
    expect(projects.limitedWatch).toBeNull();
    await stop();
    rmSync(root, { recursive: true });
  });
});
