import { expect, it } from '@jest/globals';
import { scheduled, withWorld } from './harness.ts';

const PROJECTS = 400;

// proves: scale.progress, scale.start.stopped
it('a start tells how far it has come, and ends early when the service closes', async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const looked = new Set<string>();
  await withWorld(
    scheduled(),
    async ({ ops, write, until }) => {
      for (let n = 0; n < PROJECTS; n += 1) write(`p${n}/project.yaml`, scheduled());
      expect(ops.arming()).toBeNull();
      const started = ops.start({ schedules: true });
      await until(() => looked.size > 0);
      expect(ops.arming()).toEqual({ projects: 0, ofProjects: PROJECTS + 1, triggers: 0 });
      const closed = ops.close(0);
      release();
      await Promise.all([started, closed]);
      expect(looked.size).toBeLessThan(PROJECTS);
      expect(ops.arming()).toBeNull();
    },
    {
      start: false,
      projects: (onDisk) => ({
        ...onDisk,
        get limitedWatch() {
          return onDisk.limitedWatch;
        },
        async snapshot(slug) {
          looked.add(slug);
          await released;
          return onDisk.snapshot(slug);
        },
      }),
    },
  );
});
