import type { Logger } from '@svc/core';
import { pino, stdTimeFunctions } from 'pino';

/** Writes JSON lines to the standard output. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime });
}
