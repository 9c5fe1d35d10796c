import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { jsonExcess, lastLine, oneLine } from '@svc/agent-runtime';
import { type Clock, messageOf } from '@svc/core';
import type { Command, Exit } from '../adapters/command.ts';
import { firstOf } from '../adapters/first-of.ts';
import { type Connection, type ConnectionPorts, createConnection } from './connection.ts';
import { createLineReader } from './lines.ts';

/** Why nothing more will come from an agent: it has ended, or does not speak as it should. */
export type Broken =
  | { readonly kind: 'exit'; readonly exit: Exit }
  | { readonly kind: 'fault'; readonly reason: string };

/** The line to an agent that runs. */
export interface AgentLine {
  readonly connection: Connection;
  /** Resolves when nothing more will come; never rejects. */
  readonly broken: Promise<Broken>;
  /** The last thing that the agent wrote in place of a message, or complained about; `''` for nothing. */
  hint(): string;
}

/** What a line hands on. */
export interface LinePorts extends Pick<ConnectionPorts, 'answer' | 'notice'> {
  /** Whether enough waits to be taken, so that no more is to be read for now. */
  pressed(): boolean;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MOST_GARBAGE = 1000;
const DRAIN_MS = 250;
// An agent that asks and asks, and does not read the answers.
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/** Speaks with a command over its input and output. */
export function openAgentLine(clock: Clock, command: Command, ports: LinePorts): AgentLine {
  const { stdin, stdout } = command;
  let garbage = 0;
  let lastGarbage = '';
  let isBroken = false;
  let fault: (reason: string) => void = () => {};
  const faulty = new Promise<Broken>((resolve) => {
    fault = (reason) => {
      isBroken = true;
      resolve({ kind: 'fault', reason });
    };
  });
  const connection = createConnection({
    answer: ports.answer,
    notice: ports.notice,
    send(text) {
      if (stdin.writable) stdin.write(text);
      if (stdin.writableLength > MOST_UNREAD_BYTES) fault('The agent does not read its input.');
    },
    garbage(line) {
      garbage += 1;
      lastGarbage = line.slice(0, 1000);
      if (garbage === MOST_GARBAGE) {
        fault(
          `The command does not speak the Agent Client Protocol: it wrote ${lastLine(lastGarbage)}`,
        );
      }
    },
  });
  const reader = createLineReader(MAX_LINE_BYTES, (text) => {
    // What comes after a fault could still end the turn well.
    if (isBroken) return;
    const excess = text.startsWith('{') ? jsonExcess(text) : null;
    if (excess !== null) return fault(`The agent wrote a message that is ${excess}.`);
    try {
      connection.receive(text);
    } catch (error) {
      // Thrown out of here, it would end the service.
      fault(`A message of the agent cannot be taken: ${oneLine(messageOf(error))}`);
    }
  });
  stdout.on('data', (chunk: Buffer) => {
    if (!reader.add(chunk)) fault('The agent wrote a message of more than 8 MiB.');
    // What is taken up in between goes on with it.
    if (ports.pressed()) stdout.pause();
  });
  const left = command.exit.then(async (exit): Promise<Broken> => {
    await taken(clock, stdout);
    return { kind: 'exit', exit };
  });
  return {
    connection,
    broken: Promise.race([left, faulty]),
    hint: () => command.complaint() || lastLine(lastGarbage),
  };
}

// What was held back for want of a taker is still to be read, until nothing more comes of it.
async function taken(clock: Clock, stdout: Readable): Promise<void> {
  if (!stdout.isPaused()) return;
  let isHeard = false;
  const hear = (): void => {
    isHeard = true;
  };
  stdout.on('data', hear);
  while (!stdout.readableEnded && !stdout.destroyed) {
    if (stdout.isPaused()) await Promise.race([once(stdout, 'resume'), once(stdout, 'close')]);
    isHeard = false;
    const how = await firstOf(clock, DRAIN_MS, null, once(stdout, 'end'));
    if (how === 'timed_out' && !isHeard && !stdout.isPaused()) break;
  }
  stdout.off('data', hear);
}
