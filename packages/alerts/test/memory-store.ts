import type { AlertStore, Delivery, EndedRun, LastTry, NewDelivery, ToldMark } from '@svc/alerts';

interface Kept extends NewDelivery {
  attempts: number;
  nextAt: number | null;
}

/** A store that lives as long as a test; `runs` are those of which nothing was told yet. */
export function createMemoryStore(runs: EndedRun[]) {
  const kept: Kept[] = [];
  const tries = new Map<string, LastTry>();
  let marks: ToldMark[] = [];
  const waiting = (sink: string) => kept.filter((one) => one.sink === sink && one.nextAt !== null);
  const store: AlertStore = {
    follow: async () => {},
    untold: async (most) => runs.slice(0, most),
    failuresUpTo: async () => 1,
    marks: async () => marks,
    async tell(telling) {
      for (const id of telling.runs) {
        const at = runs.findIndex((run) => run.id === id);
        if (at !== -1) runs.splice(at, 1);
      }
      const isNew = (mark: ToldMark) => telling.marks.every(({ type }) => type !== mark.type);
      marks = [...marks.filter(isNew), ...telling.marks];
      kept.push(...telling.deliveries.map((one) => ({ ...one, attempts: 0, nextAt: one.addedAt })));
      return 0;
    },
    due: async (sink, now): Promise<Delivery[]> =>
      waiting(sink).filter(({ nextAt }) => (nextAt ?? 0) <= now),
    nextDue: async (sink) => {
      const all = waiting(sink).map(({ nextAt }) => nextAt ?? 0);
      return all.length === 0 ? null : Math.min(...all);
    },
    async tried(id, tried, nextAt) {
      const one = kept.find((delivery) => delivery.id === id);
      if (one === undefined) return;
      one.attempts += 1;
      one.nextAt = nextAt;
      tries.set(one.sink, tried);
    },
    lastTry: async (sink) => tries.get(sink) ?? null,
    tidy: async () => {},
  };
  return store;
}
