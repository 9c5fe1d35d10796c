import { type Logger, SvcError } from '@svc/core';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import { priorityPrefix } from './journal.ts';
import type { LineTail } from './log-tail.ts';
import type { Settings } from './setting-table.ts';
import { plainLine, type Terminal } from './terminal.ts';

const NOWHERE: Pick<LineTail, 'add'> = { add() {} };

type LogTerminal = Pick<Terminal, 'colored' | 'isTerminal' | 'isJournal' | 'isMixed'>;

/** Whether log lines are for people, who read them on a terminal or have asked for them. */
const isPretty = ({ format }: Settings['log'], { isTerminal }: LogTerminal): boolean =>
  format === 'pretty' || (format === 'auto' && isTerminal);

/** Whether sentences for people may stand beside the log: not where a program reads both. */
export function speaksToPeople(log: Settings['log'], terminal: LogTerminal): boolean {
  if (terminal.isJournal === true) return false;
  return isPretty(log, terminal) || (log.format === 'auto' && terminal.isMixed !== true);
}

/**
 * Writes log lines to the standard output: for people where that is a terminal, or as JSON; for the journal of systemd with
 * their priority. The tail keeps the newest; default: none are kept. JSON goes to what `open` gives; default: the standard
 * output.
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
    formatters: { log: inWords },
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
    const { createPrettyLines } = await import('./pretty-lines.ts');
    const pretty = createPrettyLines();
    return (line) => terminal.colored(`${prefix(line)}${pretty(line)}`);
  }
  const destination = open();
  return (line) => void destination.write(`${prefix(line)}${plainLine(line.trimEnd())}\n`);
}

// Every line begins with its level.
const prefixOf = (line: string): string =>
  priorityPrefix(Number(/^\{"level":(\d+)/.exec(line)?.[1]));

// What an error of svc's own says is all there is to know; of others the stack may help.
function inWords(fields: Record<string, unknown>): Record<string, unknown> {
  const { err, ...others } = fields;
  return err instanceof SvcError ? { ...others, error: err.message } : fields;
}

// So many bytes wait for a disk that is full, or for a reader that does not read; lines beyond are dropped.
const MOST_WAITING_BYTES = 16_777_216;

// Left alone, an error of the output ends the process, and the flush at its exit never comes back from it. What could not
// be written is tried again with the next line.
function createDestination(): DestinationStream {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING_BYTES });
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
