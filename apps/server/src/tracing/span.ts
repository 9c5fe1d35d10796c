/** Something that took a while, once it is over. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** null for the root of a trace. */
  readonly parent: string | null;
  readonly name: string;
  /** `consumer` takes up what somebody else has caused, `client` asks somebody else. */
  readonly kind: 'internal' | 'client' | 'consumer';
  /** Milliseconds since the epoch. */
  readonly begin: number;
  readonly end: number;
  /** What is null is not known, and not told. */
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
  /** What went wrong; null where nothing did. */
  readonly error: { readonly type: string; readonly message: string | null } | null;
}

/** The trace of a run, or of a turn that is of none: its id without hyphens. */
export function traceIdOf(id: string): string {
  return id.replaceAll('-', '');
}

/**
 * The span of a run, or of a turn: the last half of its id, of which all but two bits are random. So whoever ends it
 * knows it, also where another process has begun it.
 */
export function spanIdOf(id: string): string {
  return traceIdOf(id).slice(-16);
}
