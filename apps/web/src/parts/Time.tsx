import type { JSX } from 'react';
import { agoText, clockText, dueText, fullText, untilText, whenText } from '../model/times.ts';
import { useTimeText } from './use-time-text.ts';

interface Instant {
  /** UTC ISO text. */
  readonly at: string;
}

interface WhenProps extends Instant {
  /** The IANA zone of the text nearby; null for none. Default: none. */
  readonly zone?: string | null;
}

/** A future instant: "tomorrow 03:00"; "tomorrow 02:00 here" when the clock of that zone shows another time. */
export function When({ at, zone = null }: WhenProps): JSX.Element {
  const text = useTimeText((now) => {
    const here = whenText(at, now);
    return zone === null || whenText(at, now, zone) === here ? here : `${here} your time`;
  });
  return (
    <time dateTime={at} title={fullText(at)}>
      {text}
    </time>
  );
}

/** The scheduled time of a missed run: "due Sat 03:00". */
export function Due({ at }: Instant): JSX.Element {
  const text = useTimeText((now) => dueText(at, now));
  return (
    <time dateTime={at} title={fullText(at)}>
      due {text}
    </time>
  );
}

/** The time until an instant; hidden from screen readers, since it changes every second. */
export function Until({ at }: Instant): JSX.Element {
  return <span aria-hidden>{useTimeText((now) => untilText(at, now))}</span>;
}

/** The age of an instant: "6 h ago". */
export function Ago({ at }: Instant): JSX.Element {
  const text = useTimeText((now) => agoText(at, now));
  return (
    <time dateTime={at} title={fullText(at)}>
      {text}
    </time>
  );
}

/** The elapsed time: "2 min 14 s"; hidden from screen readers, since it changes every second. */
export function Clock({ since }: { readonly since: string }): JSX.Element {
  const text = useTimeText((now) => clockText(since, now));
  return (
    <time dateTime={since} title={fullText(since)} aria-hidden>
      {text}
    </time>
  );
}
