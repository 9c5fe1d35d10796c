import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createReader } from './reader.ts';
import type { Answer, Job, ReaderData } from './thread-messages.ts';

// The whole program of a reader thread: one job at a time, plain data in and out. Its low priority leaves the
// processor to the thread that fires triggers. Only on Linux does the priority apply to a single thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { rules } = workerData as ReaderData;
// Keeps one file parsed: a large one takes hundreds of megabytes.
const reader = createReader(rules, { mostOpen: 1, onRead: () => parentPort?.postMessage(null) });

parentPort?.on('message', async (job: Job) => {
  const { text, project } = job;
  const result =
    'edit' in job ? await reader.edit(text, job.edit, project) : await reader.read(text, project);
  parentPort?.postMessage({ result } satisfies Answer);
});
