/** The properties of a job that decide its turn. */
interface TurnRequest {
  /** Slug of the project that it works for. */
  readonly project: string;
  /** Length of its text in characters. */
  readonly size: number;
}

/** Decides which job may use a thread next. */
export interface ThreadTurns {
  /** Runs the work when its turn comes. */
  run<T>(request: TurnRequest, work: () => Promise<T>): Promise<T>;
}

const MOST_THREADS = 3;
// Large texts take seconds, so one thread is always left for small ones.
const MOST_LARGE = MOST_THREADS - 1;
const LARGE = 128 * 1024;

interface Waiting extends TurnRequest {
  readonly begin: () => void;
}

/**
 * Creates turns for three threads. Projects take turns, whatever number of jobs each has. A project has one thread
 * at a time, and its jobs keep their order.
 */
export function createThreadTurns(): ThreadTurns {
  // By project, in the order of their turns.
  const waiting = new Map<string, Waiting[]>();
  const working = new Set<string>();
  let large = 0;
  const largeness = ({ size }: TurnRequest): number => (size > LARGE ? 1 : 0);
  const mayBegin = (next: Waiting): boolean =>
    !working.has(next.project) && large + largeness(next) <= MOST_LARGE;
  const beginMore = (): void => {
    for (const [project, [next, ...rest]] of waiting) {
      if (working.size === MOST_THREADS) return;
      if (next === undefined || !mayBegin(next)) continue;
      waiting.delete(project);
      if (rest.length > 0) waiting.set(project, rest);
      working.add(project);
      large += largeness(next);
      next.begin();
    }
  };
  const end = (request: TurnRequest): void => {
    working.delete(request.project);
    large -= largeness(request);
    beginMore();
  };
  return {
    async run(request, work) {
      await new Promise<void>((begin) => {
        const before = waiting.get(request.project) ?? [];
        waiting.set(request.project, [...before, { ...request, begin }]);
        beginMore();
      });
      try {
        return await work();
      } finally {
        end(request);
      }
    },
  };
}
