/** Writes one line: the data in `fields`, then a constant message. */
export type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The part of a pino logger that this project uses; a pino instance satisfies it. */
export interface Logger {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** A logger that discards every line. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
