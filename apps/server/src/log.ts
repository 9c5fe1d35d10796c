import { type Logger, printable, SvcError } from '@svc/core';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type { LineTail } from './log-tail.ts';
import type { Settings } from './setting-table.ts';
import type { Terminal } from './terminal.ts';

const NOWHERE: Pick<LineTail, 'add'> = { add() {} };

/** Writes log lines to the standard output: for people where that is a terminal, or as JSON. The tail keeps the newest; default: none are kept. */
export async function createLogger(
  { level, format }: Settings['log'],
  terminal: Pick<Terminal, 'colored' | 'isTerminal'>,
  tail: Pick<LineTail, 'add'> = NOWHERE,
): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: inWords },
  };
  const write = await writerOf(format, terminal);
  const logger: Logger = pino(options, {
    write(line: string) {
      tail.add(line);
      write(line);
    },
  });
  return logger;
}

async function writerOf(
  format: Settings['log']['format'],
  terminal: Pick<Terminal, 'colored' | 'isTerminal'>,
): Promise<(line: string) => void> {
  if (format === 'pretty' || (format === 'auto' && terminal.isTerminal)) {
    const { createPrettyLines } = await import('./pretty-lines.ts');
    const pretty = createPrettyLines();
    return (line) => terminal.colored(pretty(line));
  }
  const destination = createDestination();
  return (line) => void destination.write(`${printable(line.trimEnd())}\n`);
}

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
