import type { Logger } from '@svc/core';
import { pino, stdTimeFunctions } from 'pino';
import type { Settings } from './setting-table.ts';
import type { Terminal } from './terminal.ts';

/** Writes log lines to the standard output: for people where that is a terminal, or as JSON. */
export async function createLogger(
  { level, format }: Settings['log'],
  terminal: Pick<Terminal, 'out' | 'isTerminal'>,
): Promise<Logger> {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  let logger: Logger = pino(options);
  if (format === 'pretty' || (format === 'auto' && terminal.isTerminal)) {
    const { createPrettyLines } = await import('./pretty-lines.ts');
    const pretty = createPrettyLines();
    logger = pino(options, { write: (line: string) => terminal.out(pretty(line)) });
  }
  return logger;
}
