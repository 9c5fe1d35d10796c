import type {
  AlertStore,
  Delivery,
  LastTry,
  NewDelivery,
  PauseOfAll,
  RunSum,
  SentMark,
  SpentNote,
} from '@svc/alerts';
import type { EndedRun } from '@svc/records';

/** What else a store contains, for tests to set and inspect. */
interface MemoryState {
  pause: PauseOfAll | null;
  pauseSent: string | null;
  digestAt: number | null;
  sums: RunSum[];
  spent: SpentNote[];
  readonly tests: Parameters<AlertStore['addTried']>[0][];
}

interface Kept extends NewDelivery {
  attempts: number;
  nextAt: number | null;
}

/** A store in memory; `runs` are those that have not caused an alert yet. */
export function createMemoryStore(runs: EndedRun[]) {
  const kept: Kept[] = [];
  const tries = new Map<string, LastTry>();
  const marks = new Map<string, readonly SentMark[]>();
  const keyOf = ({ project, trigger }: Pick<EndedRun, 'project' | 'trigger'>) =>
    JSON.stringify([project, trigger]);
  const waiting = (sink: string) => kept.filter((one) => one.sink === sink && one.nextAt !== null);
  const tests: Parameters<AlertStore['addTried']>[0][] = [];
  const state: MemoryState = {
    ...{ pause: null, pauseSent: null, digestAt: null, sums: [], spent: [], tests },
  };
  const store: AlertStore = {
    follow: async () => {},
    pendingRuns: async (most) => runs.slice(0, most),
    failuresUpTo: async () => 1,
    marks: async (of) => marks.get(keyOf(of)) ?? [],
    async add(notification) {
      for (const id of notification.runs) {
        const at = runs.findIndex((run) => run.id === id);
        if (at !== -1) runs.splice(at, 1);
      }
      const isNew = (mark: SentMark) => notification.marks.every(({ type }) => type !== mark.type);
      if (notification.of !== null) {
        const before = marks.get(keyOf(notification.of)) ?? [];
        marks.set(keyOf(notification.of), [...before.filter(isNew), ...notification.marks]);
      }
      state.pauseSent = notification.pauseAt ?? state.pauseSent;
      state.digestAt = notification.digestAt ?? state.digestAt;
      const notified = notification.spent ?? [];
      state.spent = state.spent.filter((note) => !notified.includes(note));
      kept.push(
        ...notification.deliveries.map((one) => ({ ...one, attempts: 0, nextAt: one.addedAt })),
      );
      return 0;
    },
    due: async (sink, now): Promise<Delivery[]> =>
      waiting(sink).filter(({ nextAt }) => (nextAt ?? 0) <= now),
    pendingPause: async () => (state.pause?.at === state.pauseSent ? null : state.pause),
    pendingSpentLimits: async () => state.spent,
    digestAt: async () => state.digestAt,
    sums: async () => state.sums,
    addTried: async (test) => {
      tests.push(test);
      tries.set(test.sink, test);
    },
    hasten: async (sink, now) => {
      for (const one of waiting(sink)) one.nextAt = Math.min(one.nextAt ?? now, now);
    },
    counts: async (sink) => ({ waiting: waiting(sink).length, givenUp: 0 }),
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
  return { store, state };
}
