import { type Logger, SvcError } from '@svc/core';
import { pino, stdTimeFunctions } from 'pino';
import type { Settings } from './setting-table.ts';
import type { Terminal } from './terminal.ts';

/** Writes log lines to the standard output: for people where that is a terminal, or as JSON. */
export async function createLogger(
  { level, format }: Settings['log'],
  terminal: Pick<Terminal, 'out' | 'isTerminal'>,
): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: inWords },
  };
  let logger: Logger = pino(options);
  if (format === 'pretty' || (format === 'auto' && terminal.isTerminal)) {
    const { createPrettyLines } = await import('./pretty-lines.ts');
    const pretty = createPrettyLines();
    logger = pino(options, { write: (line: string) => terminal.out(pretty(line)) });
  }
  return logger;
}

// What an error of svc's own says is all there is to know; of others the stack may help.
function inWords(fields: Record<string, unknown>): Record<string, unknown> {
  const { err, ...others } = fields;
  return err instanceof SvcError ? { ...others, error: err.message } : fields;
}
