import { describe, expect, it } from '@jest/globals';
import { createKeyedMutex } from '@svc/core';

/** Work that ends on request. */
function held(log: string[], name: string) {
  let finish = (): void => {};
  const ended = new Promise<string>((resolve) => {
    finish = () => resolve(name);
  });
  const work = () => {
    log.push(name);
    return ended;
  };
  return { work, finish: () => finish() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a keyed mutex', () => {
  it('runs work under the same key one at a time, and different keys in parallel', async () => {
    const log: string[] = [];
    const line = createKeyedMutex();
    const [a1, a2, b1] = [held(log, 'a1'), held(log, 'a2'), held(log, 'b1')];
    const results = [line.run('a', a1.work), line.run('a', a2.work), line.run('b', b1.work)];
    await settle();
    expect(log).toEqual(['a1', 'b1']);
    a1.finish();
    await settle();
    expect(log).toEqual(['a1', 'b1', 'a2']);
    a2.finish();
    b1.finish();
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1']);
  });

  it('reports a failure to the caller, and continues with the next piece of work', async () => {
    const line = createKeyedMutex();
    const failed = line.run('a', () => Promise.reject(new Error('no')));
    const next = line.run('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('is idle once work that was added while waiting has ended too', async () => {
    const log: string[] = [];
    const line = createKeyedMutex();
    const [first, second] = [held(log, 'first'), held(log, 'second')];
    void line.run('a', first.work).then(() => line.run('b', second.work));
    const idle = line.idle().then(() => log.push('idle'));
    await settle();
    first.finish();
    await settle();
    expect(log).toEqual(['first', 'second']);
    second.finish();
    await idle;
    expect(log).toEqual(['first', 'second', 'idle']);
  });
});
