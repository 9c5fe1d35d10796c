import type { EventName } from './catalog.ts';
import type { Slug } from './ids.ts';

/** What happened, for a turn that an event started. Data only: no runtime parses it as steps or commands. */
export interface EventData {
  readonly event: EventName;
  readonly project: Slug;
  /** What there is to know of it: a JSON object. */
  readonly data: Readonly<Record<string, unknown>>;
}
