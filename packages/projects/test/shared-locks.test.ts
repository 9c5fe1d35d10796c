import { describe, expect, it } from '@jest/globals';
import { createSharedLocks, type FileLocks } from '../src/index.ts';

describe('a lock shared by several servers', () => {
  const files = (isHeld: () => boolean, events: string[]): FileLocks => ({
    async take(file) {
      if (file.includes('broken')) throw new Error('The disk is full.');
      events.push(`file ${file}`);
      return { isHeld, release: async () => void events.push('file released') };
    },
    tryTake: async () => ({ ok: false, error: { pid: 1 } }),
    async sweep() {},
  });
  const names = (lost: { is: boolean }, events: string[]) => ({
    async take(name: string) {
      events.push(name);
      return {
        get isHeld() {
          return !lost.is;
        },
        release: async () => void events.push('name released'),
      };
    },
  });

  // proves: nodes.locked-edits
  it('is held in the database and in the file, and is lost when either is lost', async () => {
    const events: string[] = [];
    const lost = { is: false };
    let isHeld = true;
    const locks = createSharedLocks(
      files(() => isHeld, events),
      names(lost, events),
    );
    const lock = await locks.take('/projects/.locks/demo.lock');
    expect(lock.isHeld()).toBe(true);
    lost.is = true;
    expect(lock.isHeld()).toBe(false);
    lost.is = false;
    isHeld = false;
    expect(lock.isHeld()).toBe(false);
    await lock.release();
    expect(events).toEqual([
      ...['file demo.lock', 'file /projects/.locks/demo.lock'],
      ...['file released', 'name released'],
    ]);
  });

  it('is released in the database when the file cannot be locked', async () => {
    const events: string[] = [];
    const locks = createSharedLocks(
      files(() => true, events),
      names({ is: false }, events),
    );
    await expect(locks.take('/projects/.locks/broken.lock')).rejects.toThrow('The disk is full.');
    expect(events).toEqual(['file broken.lock', 'name released']);
  });
});
