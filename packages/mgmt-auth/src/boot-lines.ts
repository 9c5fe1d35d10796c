/** A line to log at start: a constant message with its facts as fields. It never holds a token. */
export interface BootLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Takes lines down in order. */
export interface BootLog {
  readonly lines: readonly BootLine[];
  error(message: string, fields: BootLine['fields']): void;
  warn(message: string, fields: BootLine['fields']): void;
  info(message: string, fields: BootLine['fields']): void;
}

/** Makes an empty log. */
export function createBootLog(): BootLog {
  const lines: BootLine[] = [];
  return {
    lines,
    error: (message, fields) => void lines.push({ level: 'error', message, fields }),
    warn: (message, fields) => void lines.push({ level: 'warn', message, fields }),
    info: (message, fields) => void lines.push({ level: 'info', message, fields }),
  };
}
