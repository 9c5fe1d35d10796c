/** A completed span. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** null for the root of a trace. */
  readonly parent: string | null;
  readonly name: string;
  /** `consumer` handles work caused by another process, `client` calls another process. */
  readonly kind: 'internal' | 'client' | 'consumer';
  /** Milliseconds since the epoch. */
  readonly begin: number;
  readonly end: number;
  /** null: unknown, not exported. */
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
  /** null: no error. */
  readonly error: { readonly type: string; readonly message: string | null } | null;
}

/** Trace id of a run, or of a turn without a run: its UUID without hyphens. */
export function traceIdOf(id: string): string {
  return id.replaceAll('-', '');
}

/**
 * Span id of a run or turn: the last half of its UUID, which is random except for two bits. Any process can derive it, also for
 * a run that another process started.
 */
export function spanIdOf(id: string): string {
  return traceIdOf(id).slice(-16);
}

/** The result of a span: accepted by the collector, rejected or undeliverable, or dropped because the buffer was full. */
export type SpanResult = 'sent' | 'failed' | 'dropped';
