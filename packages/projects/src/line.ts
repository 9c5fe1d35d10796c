import type { Slug } from '@svc/records';

/** Makes what does the works of one project one after the other. */
export function createLine() {
  const turns = new Map<Slug, Promise<unknown>>();
  return <T>(slug: Slug, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(slug) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => {});
    turns.set(slug, settled);
    void settled.then(() => {
      if (turns.get(slug) === settled) turns.delete(slug);
    });
    return mine;
  };
}
