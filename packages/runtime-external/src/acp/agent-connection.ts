import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { firstOf, jsonExcess, lastLine, oneLine } from '@svc/agent-runtime';
import { type Clock, messageOf } from '@svc/core';
import type { Command, Exit } from '../adapters/command.ts';
import { createLineReader } from './line-reader.ts';
import { createRpcConnection, type RpcConnection, type RpcPorts } from './rpc-connection.ts';

/** Why an agent sends no more messages: its process exited, or it violated the protocol. */
export type Disconnect =
  | { readonly kind: 'exit'; readonly exit: Exit }
  | { readonly kind: 'fault'; readonly reason: string };

/** The connection to a running agent. */
export interface AgentConnection {
  readonly rpc: RpcConnection;
  /** Resolves when no more messages will arrive; never rejects. */
  readonly disconnected: Promise<Disconnect>;
  /** The last line on the error output, or else the last line of output that was not a message; `''` if none. */
  lastOutput(): string;
}

/** Dependencies of an agent connection. */
export interface AgentConnectionPorts extends Pick<RpcPorts, 'onRequest' | 'onNotification'> {
  /** Whether enough messages are queued, so that reading should pause. */
  shouldPause(): boolean;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_INVALID_LINES = 1000;
const DRAIN_MS = 250;
// An agent may keep sending requests without reading the responses.
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Connects to a command over its input and output. */
export function openAgentConnection(
  clock: Clock,
  command: Command,
  ports: AgentConnectionPorts,
): AgentConnection {
  const { stdin, stdout } = command;
  let invalidLines = 0;
  let lastInvalidLine = '';
  let isFaulty = false;
  let disconnect: (reason: string) => void = () => {};
  const faulty = new Promise<Disconnect>((resolve) => {
    disconnect = (reason) => {
      isFaulty = true;
      resolve({ kind: 'fault', reason });
    };
  });
  const rpc = createRpcConnection({
    onRequest: ports.onRequest,
    onNotification: ports.onNotification,
    send(text) {
      if (stdin.writable) stdin.write(text);
      if (stdin.writableLength > MAX_UNREAD_BYTES) {
        disconnect('The agent stopped reading its input.');
      }
    },
    onInvalidLine(line) {
      invalidLines += 1;
      lastInvalidLine = line.slice(0, 1000);
      if (invalidLines === MAX_INVALID_LINES) {
        disconnect(
          `The command does not speak the Agent Client Protocol. It wrote: ${lastLine(lastInvalidLine)}`,
        );
      }
    },
  });
  const reader = createLineReader(MAX_LINE_BYTES, (text) => {
    // After a fault, a later message must not let the turn succeed.
    if (isFaulty) return;
    const excess = text.startsWith('{') ? jsonExcess(text) : null;
    if (excess !== null) return disconnect(`The agent sent a message that is ${excess}.`);
    try {
      rpc.receive(text);
    } catch (error) {
      // An exception in a stream listener would crash the service.
      disconnect(`A message from the agent could not be processed: ${oneLine(messageOf(error))}`);
    }
  });
  stdout.on('data', (chunk: Buffer) => {
    if (!reader.add(chunk)) disconnect('The agent sent a message larger than 8 MiB.');
    // The channel resumes the stream when its queue is empty.
    if (ports.shouldPause()) stdout.pause();
  });
  const exited = command.exit.then(async (exit): Promise<Disconnect> => {
    await drained(clock, stdout);
    return { kind: 'exit', exit };
  });
  return {
    rpc,
    disconnected: Promise.race([exited, faulty]),
    lastOutput: () => command.lastErrorLine() || lastLine(lastInvalidLine),
  };
}

// Output that was not read while the stream was paused still belongs to the turn. A process in the background may hold
// the stream open, so reading stops after a time without data.
async function drained(clock: Clock, stdout: Readable): Promise<void> {
  if (!stdout.isPaused()) return;
  let hasData = false;
  const onData = (): void => {
    hasData = true;
  };
  stdout.on('data', onData);
  while (!stdout.readableEnded && !stdout.destroyed) {
    if (stdout.isPaused()) await Promise.race([once(stdout, 'resume'), once(stdout, 'close')]);
    hasData = false;
    const outcome = await firstOf(clock, DRAIN_MS, null, once(stdout, 'end'));
    if (outcome === 'timed_out' && !hasData && !stdout.isPaused()) break;
  }
  stdout.off('data', onData);
}
