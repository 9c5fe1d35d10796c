/** A message to log at start, constant, with its facts as fields. Never contains a token. */
export interface BootLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Collects messages in order. */
export interface BootLog {
  readonly lines: readonly BootLine[];
  error(message: string, fields: BootLine['fields']): void;
  warn(message: string, fields: BootLine['fields']): void;
  info(message: string, fields: BootLine['fields']): void;
}

/** Creates an empty log. */
export function createBootLog(): BootLog {
  const lines: BootLine[] = [];
  return {
    lines,
    error: (message, fields) => void lines.push({ level: 'error', message, fields }),
    warn: (message, fields) => void lines.push({ level: 'warn', message, fields }),
    info: (message, fields) => void lines.push({ level: 'info', message, fields }),
  };
}
