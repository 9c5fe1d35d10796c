import { type Checked, type Clock, invalid, type Logger, type TimerHandle } from '@svc/core';
import type { ProjectFile } from '@svc/trigger-schema';
import { type ReaderThread, startReaderThread } from './adapters/reader-thread.ts';
import type { EditedText, ProjectReader } from './reader.ts';
import type { Job, ReaderData } from './thread-messages.ts';

/** How large texts are read beside the thread of the service. */
export interface ThreadSettings {
  /** The compiled `@svc/projects/worker`. */
  readonly script: URL;
  /** Texts of more characters than this are read there. Default: 12288. */
  readonly above?: number;
  /** How long one job may take, in milliseconds. Default: 30000. */
  readonly jobMs?: number;
  /** Most memory of a thread, in MiB. Default: 1024. */
  readonly memoryMb?: number;
}

/** A reader whose threads can be ended. */
export interface ClosableReader extends ProjectReader {
  close(): Promise<void>;
}

const STOPPED = invalid({ path: '', message: 'could not be read: the service is stopping.' });
const ABOVE = 12 * 1024;
const JOB_MS = 30_000;
const MEMORY_MB = 1024;
const MOST_THREADS = 2;
const IDLE_MS = 10_000;

/**
 * Joins a reader for small texts with up to two threads for large ones, which are started when they are needed and ended
 * when they have been idle for a while: a text that takes seconds to read holds up nobody but other large ones.
 */
export function createThreadedReader(
  deps: { readonly clock: Clock; readonly logger: Logger },
  small: ProjectReader,
  options: ReaderData & ThreadSettings & { readonly onRead?: (() => void) | undefined },
): ClosableReader {
  const { above = ABOVE, jobMs = JOB_MS, memoryMb = MEMORY_MB, script, rules, onRead } = options;
  const all = new Set<ReaderThread>();
  const idle: ReaderThread[] = [];
  const waiting: ((thread: ReaderThread) => void)[] = [];
  let sweep: TimerHandle | null = null;
  let closed = false;
  const start = (): ReaderThread => {
    const thread = startReaderThread(deps, { script, rules, jobMs, memoryMb, onRead });
    all.add(thread);
    return thread;
  };
  const end = async (threads: readonly ReaderThread[]): Promise<void> => {
    for (const thread of threads) all.delete(thread);
    await Promise.all(threads.map((thread) => thread.end()));
  };
  const endIdleLater = (): void => {
    if (sweep !== null) deps.clock.clearTimeout(sweep);
    sweep =
      idle.length === 0 ? null : deps.clock.setTimeout(() => void end(idle.splice(0)), IDLE_MS);
  };
  const take = (): ReaderThread | Promise<ReaderThread> => {
    const free = idle.pop();
    endIdleLater();
    if (free?.isAlive) return free;
    if (free !== undefined) all.delete(free);
    if (all.size < MOST_THREADS) return start();
    return new Promise((resolve) => waiting.push(resolve));
  };
  const giveBack = (thread: ReaderThread): void => {
    const next = waiting.shift();
    if (!thread.isAlive) all.delete(thread);
    if (next !== undefined) next(thread.isAlive || closed ? thread : start());
    else if (thread.isAlive) idle.push(thread);
    endIdleLater();
  };
  const run = async (job: Job): Promise<Checked<ProjectFile> | Checked<EditedText>> => {
    if (closed) return STOPPED;
    const thread = await take();
    try {
      return await thread.run(job);
    } finally {
      giveBack(thread);
    }
  };
  return {
    read: async (text) =>
      text.length <= above ? small.read(text) : ((await run({ text })) as Checked<ProjectFile>),
    edit: async (text, edit) =>
      text.length + JSON.stringify(edit).length <= above
        ? small.edit(text, edit)
        : ((await run({ text, edit })) as Checked<EditedText>),
    async close() {
      closed = true;
      idle.length = 0;
      endIdleLater();
      await end([...all]);
    },
  };
}
