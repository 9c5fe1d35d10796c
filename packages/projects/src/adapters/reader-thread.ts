import { Worker } from 'node:worker_threads';
import {
  type Checked,
  type Clock,
  invalid,
  type Logger,
  messageOf,
  type TimerHandle,
} from '@svc/core';
import type { ProjectFile } from '@svc/trigger-schema';
import type { EditedText } from '../reader.ts';
import type { Answer, Job, ReaderData } from '../thread-messages.ts';

/** Options of a reader thread. */
export interface ThreadOptions extends ReaderData {
  /** The compiled `@svc/projects/worker`. */
  readonly script: URL;
  /** Timeout of one job, in milliseconds. */
  readonly jobMs: number;
  /** Memory limit of the thread, in MiB. */
  readonly memoryMb: number;
  /** Called each time a text is parsed as YAML. */
  readonly onRead?: (() => void) | undefined;
}

/** A thread that runs one job at a time. */
export interface ReaderThread {
  /** Runs a job. If the thread cannot finish it, the thread is terminated and the result is an issue. */
  run(job: Job): Promise<Checked<ProjectFile> | Checked<EditedText>>;
  /** False after the thread was terminated. */
  readonly isAlive: boolean;
  end(): Promise<void>;
}

const ENDED = 'could not be read because the service is stopping.';

/** Starts a reader thread. It keeps the process alive only while it works. */
export function startReaderThread(
  deps: { readonly clock: Clock; readonly logger: Logger },
  options: ThreadOptions,
): ReaderThread {
  const { jobMs, memoryMb, onRead } = options;
  const worker = openWorker(deps.logger, options);
  if (worker === null) return NO_THREAD;
  worker.unref();
  let isAlive = true;
  let settle: (answer: Answer['result']) => void = () => {};
  const stop = (message: string, error?: unknown): void => {
    if (!isAlive) return;
    isAlive = false;
    settle(invalid({ path: '', message }));
    if (error !== undefined) deps.logger.warn({ error: messageOf(error) }, 'reader thread failed');
    void worker.terminate();
  };
  worker.on('message', (answer: Answer | null) => {
    if (answer === null) onRead?.();
    else settle(answer.result);
  });
  worker.on('error', (error) => stop(faultOf(error, memoryMb), error));
  worker.on('exit', () =>
    stop('could not be read because its thread was terminated. Save it again.'),
  );
  return {
    get isAlive() {
      return isAlive;
    },
    async run(job) {
      if (!isAlive) return invalid({ path: '', message: ENDED });
      let timer: TimerHandle | null = null;
      const answered = new Promise<Answer['result']>((resolve) => {
        settle = resolve;
        const tooLong = `takes longer than ${jobMs / 1000} s to read. Make it smaller or simpler.`;
        timer = deps.clock.setTimeout(() => stop(tooLong), jobMs);
      });
      worker.ref();
      worker.postMessage(job);
      return answered.finally(() => {
        if (timer !== null) deps.clock.clearTimeout(timer);
        worker.unref();
      });
    },
    async end() {
      stop(ENDED);
      await worker.terminate();
    },
  };
}

// Null if the system cannot create another thread, for example because agents have started too many processes.
function openWorker(logger: Logger, { script, rules, memoryMb }: ThreadOptions): Worker | null {
  try {
    return new Worker(script, {
      workerData: { rules } satisfies ReaderData,
      env: {},
      name: 'svc-reader',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
  } catch (error) {
    logger.warn({ error: messageOf(error) }, 'reader thread not started');
    return null;
  }
}

const NO_THREAD: ReaderThread = {
  isAlive: false,
  run: async () =>
    invalid({
      path: '',
      message: 'could not be read because no thread could be started. Save it again.',
    }),
  end: async () => {},
};

function faultOf(error: unknown, memoryMb: number): string {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `takes more than ${memoryMb} MiB of memory to read. Make it smaller or simpler.`
    : 'could not be read because its thread failed. See the log.';
}
