import { plainLine, type Terminal } from '@svc/cli';
import { type Logger, SvcError } from '@svc/core';
import type { Settings } from '@svc/settings';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type { LineTail } from './log-tail.ts';
import { priorityPrefix } from './systemd-journal.ts';

const NOWHERE: Pick<LineTail, 'add'> = { add() {} };

type LogTerminal = Pick<Terminal, 'colored' | 'isTerminal' | 'isJournal' | 'isMixed'>;

/** Whether log lines are formatted for people: on a terminal, or by setting. */
const isPretty = ({ format }: Settings['log'], { isTerminal }: LogTerminal): boolean =>
  format === 'pretty' || (format === 'auto' && isTerminal);

/** Whether other messages for people may be mixed with the log. They must not if a program parses both. */
export function printsMessages(log: Settings['log'], terminal: LogTerminal): boolean {
  if (terminal.isJournal === true) return false;
  return isPretty(log, terminal) || (log.format === 'auto' && terminal.isMixed !== true);
}

/**
 * Creates the logger, which writes to standard output: formatted for people on a terminal, otherwise as JSON; with priorities
 * for the systemd journal.
 *
 * @param tail buffer of the newest lines; default: none
 * @param open opens the destination of JSON lines; default: standard output
 */
export async function createLogger(
  log: Settings['log'],
  terminal: LogTerminal,
  tail: Pick<LineTail, 'add'> = NOWHERE,
  open: () => DestinationStream = createDestination,
): Promise<Logger> {
  const options = {
    level: log.level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: withoutExpectedStack },
  };
  const write = await writerOf(log, terminal, open);
  const logger: Logger = pino(options, {
    write(line: string) {
      tail.add(line);
      write(line);
    },
  });
  return logger;
}

async function writerOf(
  log: Settings['log'],
  terminal: LogTerminal,
  open: () => DestinationStream,
): Promise<(line: string) => void> {
  const prefix = terminal.isJournal === true ? prefixOf : () => '';
  if (isPretty(log, terminal)) {
    const { createPrettyLines } = await import('@svc/cli/pretty-lines');
    const pretty = createPrettyLines();
    return (line) => terminal.colored(`${prefix(line)}${pretty(line)}`);
  }
  const destination = open();
  return (line) => void destination.write(`${prefix(line)}${plainLine(line.trimEnd())}\n`);
}

// pino writes the level first.
const prefixOf = (line: string): string =>
  priorityPrefix(Number(/^\{"level":(\d+)/.exec(line)?.[1]));

// The message of an expected error is sufficient; the stack helps with unexpected ones.
function withoutExpectedStack(fields: Record<string, unknown>): Record<string, unknown> {
  const { err, ...others } = fields;
  return err instanceof SvcError ? { ...others, error: err.message } : fields;
}

// Limit of the buffer while the disk is full or the reader is slow; further lines are dropped.
const MAX_WAITING_BYTES = 16_777_216;

// By default, a write error ends the process, and the flush at exit then loops forever. Lines that could not be written are
// retried with the next line.
function createDestination(): DestinationStream {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  const flush = destination.flushSync.bind(destination);
  let fails = false;
  destination.on('error', () => {
    fails = true;
  });
  destination.on('write', () => {
    fails = false;
  });
  destination.flushSync = () => {
    if (!fails) flush();
  };
  return destination;
}
