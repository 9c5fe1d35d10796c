import { createStoredText } from './stored-text.ts';

const LAST_LOOK = createStoredText('svc.lastLook');
const DAY_MS = 86_400_000;
/** A shorter absence does not start a new visit. */
const AWAY_MS = 10 * 60_000;

interface Look {
  /** When the previous visit ended, UTC ISO text. */
  readonly since: string;
  /** Whether this visit is the first, so that `since` is a day before it. */
  readonly isFirst?: boolean;
  /** When this visit was last active. */
  readonly seen: string;
}

/** The end of the last visit; 24 hours ago when there was none. */
export function lastVisit(now: number): { readonly since: string; readonly isKnown: boolean } {
  const before = stored();
  const seen = new Date(now).toISOString();
  if (before === null) {
    const since = new Date(now - DAY_MS).toISOString();
    keep({ since, isFirst: true, seen });
    return { since, isKnown: false };
  }
  const isNewVisit = now - Date.parse(before.seen) > AWAY_MS;
  const since = isNewVisit ? before.seen : before.since;
  const isFirst = !isNewVisit && before.isFirst === true;
  keep({ since, isFirst, seen });
  return { since, isKnown: !isFirst };
}

function stored(): Look | null {
  try {
    const look = JSON.parse(LAST_LOOK.read() ?? 'null') as Partial<Look> | null;
    const isWhole = Number.isFinite(Date.parse(`${look?.since}`) + Date.parse(`${look?.seen}`));
    return isWhole ? (look as Look) : null;
  } catch {
    return null;
  }
}

function keep(look: Look): void {
  LAST_LOOK.write(JSON.stringify(look));
}
