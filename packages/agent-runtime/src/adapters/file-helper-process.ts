import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { type Clock, failure, messageOf, type Result, success } from '@svc/core';
import type { AgentUser } from '../agent-user.ts';
import type { FileRequest } from './file-wire.ts';
import { createFrameReader, encodeFrame, type Frame } from './frames.ts';

/**
 * A process that works on files as another user. Its output is not trusted, because agents of that user can tamper with
 * it.
 */
export interface FileHelper {
  /** Null if it could not be started. */
  readonly pid: number | null;
  /** Whether it has exited and will not answer any more. */
  readonly ended: boolean;
  /** The answer, or one sentence on why there is none. */
  ask(request: FileRequest, ...parts: readonly Uint8Array[]): Promise<Result<Frame, string>>;
  end(): Promise<void>;
}

type OnAnswer = (answer: Result<Frame, string>) => void;

const CHANNEL = 3;
const MAX_SAID = 1000;
// How long its pipes may stay open after it exits, because another process can hold them.
const LAST_WORDS_MS = 250;

/**
 * Starts a file helper.
 *
 * @param marks Additional environment variables.
 */
export function startFileHelper(
  clock: Clock,
  user: AgentUser,
  marks: Readonly<Record<string, string>>,
): FileHelper {
  const [program, ...args] = user.prefix;
  const child = spawn(program, [...args, process.execPath, '--input-type=module', '-'], {
    cwd: '/',
    env: { ...marks, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const waiting = new Map<number, OnAnswer>();
  const said = listen(child);
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  const gone = goneOf(clock, child).then((error) => {
    ended = true;
    const reason = goneSentence(user, error ?? said());
    for (const answer of waiting.values()) answer(failure(reason));
    waiting.clear();
  });
  const channel = channelOf(child, waiting);
  child.stdin?.on('error', () => {}).end(user.fileHelper);
  let last = 0;
  return {
    pid: child.pid ?? null,
    get ended() {
      return ended;
    },
    ask(request, ...parts) {
      if (ended) return Promise.resolve(failure(goneSentence(user, said())));
      last += 1;
      const id = last;
      channel?.write(encodeFrame({ ...request, id }, ...parts));
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async end() {
      channel?.destroy();
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function channelOf(child: ChildProcess, waiting: Map<number, OnAnswer>): Duplex | null {
  const channel = child.stdio[CHANNEL];
  if (!(channel instanceof Duplex)) return null;
  const read = createFrameReader((frame) => {
    const id = Number(frame.head['id']);
    waiting.get(id)?.(success(frame));
    // An answer without a request did not come from the helper program.
    if (!waiting.delete(id)) child.kill('SIGKILL');
  });
  channel.on('data', (chunk: Buffer) => {
    if (!read(chunk)) child.kill('SIGKILL');
  });
  channel.on('error', () => {});
  channel.once('end', () => child.kill('SIGKILL'));
  return channel;
}

// Resolves when it has exited and its pipes are read; with an error text if it did not start.
function goneOf(clock: Clock, child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(messageOf(error));
    });
    child.once('exit', () => {
      const timer = clock.setTimeout(() => {
        for (const pipe of child.stdio) pipe?.destroy();
      }, LAST_WORDS_MS);
      child.once('close', () => {
        clock.clearTimeout(timer);
        resolve(null);
      });
    });
  });
}

function listen(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (said.length < MAX_SAID) said += chunk.toString();
  });
  return () => said.slice(0, MAX_SAID).split('\n')[0]?.trim() ?? '';
}

function goneSentence({ name }: AgentUser, why: string): string {
  const cause = why === '' ? '' : ` (${why})`;
  return `The file helper process of the user ${name} has ended${cause}.`;
}
