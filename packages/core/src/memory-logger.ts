import type { Logger } from './logger.ts';

/** One line written to a memory logger. */
export interface MemoryLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps its lines so that tests can read them. */
export interface MemoryLogger extends Logger {
  readonly lines: readonly MemoryLine[];
}

/** Creates a logger whose lines can be read back, oldest first. */
export function createMemoryLogger(): MemoryLogger {
  const lines: MemoryLine[] = [];
  const at = (level: MemoryLine['level']) => (fields: MemoryLine['fields'], message: string) => {
    lines.push({ level, message, fields });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
