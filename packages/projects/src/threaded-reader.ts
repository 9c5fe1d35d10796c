import { type Checked, type Clock, invalid, type Logger, type TimerHandle } from '@svc/core';
import type { ProjectFile } from '@svc/trigger-schema';
import { type ReaderThread, startReaderThread } from './adapters/reader-thread.ts';
import type { EditedText, ProjectReader } from './reader.ts';
import type { Job, ReaderData } from './thread-messages.ts';
import { createThreadTurns } from './thread-turns.ts';

/** Options of the threads that read large texts. */
export interface ThreadSettings {
  /** The compiled `@svc/projects/worker`. */
  readonly script: URL;
  /** Texts of more characters than this are read in a thread. Default: 12288. */
  readonly above?: number;
  /** Timeout of one job, in milliseconds. Default: 30000. */
  readonly jobMs?: number;
  /** Memory limit of a thread, in MiB. Default: 1024. */
  readonly memoryMb?: number;
}

/** A reader whose threads can be terminated. */
export interface ClosableReader extends ProjectReader {
  close(): Promise<void>;
}

const STOPPED = invalid({
  path: '',
  message: 'could not be read because the service is stopping.',
});
const ABOVE = 12 * 1024;
const JOB_MS = 30_000;
const MEMORY_MB = 1024;
const IDLE_MS = 10_000;

/**
 * Reads small texts directly and larger ones in up to three threads, which are started on demand and terminated
 * when idle. A project uses one thread at a time, and texts of more than 128 KiB leave one thread free: a file that
 * takes seconds to read does not delay other projects.
 */
export function createThreadedReader(
  deps: { readonly clock: Clock; readonly logger: Logger },
  small: ProjectReader,
  options: ReaderData & ThreadSettings & { readonly onRead?: (() => void) | undefined },
): ClosableReader {
  const { above = ABOVE, jobMs = JOB_MS, memoryMb = MEMORY_MB, script, rules, onRead } = options;
  const turns = createThreadTurns();
  // Busy and idle threads, with the text that each has parsed.
  const all = new Map<ReaderThread, string>();
  const idle = new Set<ReaderThread>();
  let sweep: TimerHandle | null = null;
  let closed = false;
  const start = (): ReaderThread =>
    startReaderThread(deps, { script, rules, jobMs, memoryMb, onRead });
  const end = async (threads: readonly ReaderThread[]): Promise<void> => {
    for (const thread of threads) {
      all.delete(thread);
      idle.delete(thread);
    }
    await Promise.all(threads.map((thread) => thread.end()));
  };
  const endIdleLater = (): void => {
    if (sweep !== null) deps.clock.clearTimeout(sweep);
    sweep = idle.size === 0 ? null : deps.clock.setTimeout(() => void end([...idle]), IDLE_MS);
  };
  // A thread that has parsed the text can edit it at once. Otherwise the thread with the smallest parsed text is
  // used.
  const take = (text: string): ReaderThread => {
    const free = [...idle].filter((thread) => thread.isAlive);
    const lossOf = (thread: ReaderThread): number => {
      const held = all.get(thread) ?? '';
      return held === text ? -1 : held.length;
    };
    const best = free.sort((a, b) => lossOf(a) - lossOf(b))[0] ?? start();
    idle.delete(best);
    endIdleLater();
    return best;
  };
  const giveBack = (thread: ReaderThread): void => {
    if (thread.isAlive && !closed) idle.add(thread);
    else all.delete(thread);
    endIdleLater();
  };
  const work = async (job: Job): Promise<Checked<ProjectFile> | Checked<EditedText>> => {
    if (closed) return STOPPED;
    const thread = take(job.text);
    all.set(thread, job.text);
    try {
      const result = await thread.run(job);
      if (result.ok && 'text' in result.value) all.set(thread, result.value.text);
      return result;
    } finally {
      giveBack(thread);
    }
  };
  const run = (job: Job): ReturnType<typeof work> =>
    turns.run({ project: job.project, size: job.text.length }, () => work(job));
  return {
    read: async (text, project) =>
      text.length <= above
        ? small.read(text, project)
        : ((await run({ text, project })) as Checked<ProjectFile>),
    edit: async (text, edit, project) =>
      text.length + JSON.stringify(edit).length <= above
        ? small.edit(text, edit, project)
        : ((await run({ text, edit, project })) as Checked<EditedText>),
    async close() {
      closed = true;
      await end([...all.keys()]);
      endIdleLater();
    },
  };
}
