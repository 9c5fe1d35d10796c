interface Span {
  readonly reason: string;
  from: number;
  until: number;
}

const MAX_SPANS = 16;

/** The latest stretches of wall time in which nothing could be claimed, and why. */
export class Absences {
  private readonly spans: Span[] = [];

  /** A stretch that ends later, by `end`. */
  begin(reason: string, from: number): void {
    this.add(reason, from, Number.POSITIVE_INFINITY);
  }

  end(reason: string, until: number): void {
    for (const span of this.spans) {
      if (span.reason === reason && span.until === Number.POSITIVE_INFINITY) span.until = until;
    }
  }

  /** The wall clock was set back to `now`: what has not ended goes on there. */
  setBack(now: number): void {
    for (const span of this.spans) {
      if (span.until === Number.POSITIVE_INFINITY) span.from = Math.min(span.from, now);
    }
  }

  add(reason: string, from: number, until: number): void {
    this.spans.push({ reason, from, until });
    if (this.spans.length > MAX_SPANS) this.spans.shift();
  }

  /** Why a slot could not be claimed on time, or null when nothing is known to have been in the way. */
  reasonFor(slot: number): string | null {
    return this.spans.findLast((span) => slot > span.from && slot <= span.until)?.reason ?? null;
  }
}
