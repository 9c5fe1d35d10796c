import { isoTime, messageOf, type TimerHandle } from '@svc/core';
import { forgetHostZone, parseTzif, type ZoneDifference, zoneDifference } from '@svc/recurrence';
import type { When } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';
import { hostZone } from './host-zone.ts';

/** When the offsets of a zone in Node and on the host start to differ. */
export interface ZoneDataState {
  readonly zone: string;
  /** UTC ISO text. */
  readonly from: string;
  /** Offset used to fire, e.g. `+02:00`. */
  readonly offset: string;
  readonly hostOffset: string;
  /** The same in a sentence. */
  readonly message: string;
}

/** Time zone data of the host. */
export interface Zones {
  /** Compares zones that will be used with the data of the host; null means the zone of the host. Never rejects. */
  use(zones: Iterable<string | null>): Promise<void>;
  /** The difference for a schedule; null if there is none, or if it could not be compared. */
  stateOf(when: When | null): ZoneDataState | null;
  /** Identifies the time zone of the host, as last determined. */
  readonly hostMark: string;
  /** Checks twice a minute whether the time zone of the host has changed. */
  start(onChange: () => void): void;
  close(): void;
}

const LOOK_MS = 30_000;
const DAY_MS = 86_400_000;
const AHEAD_MS = 366 * DAY_MS;

const NO_DATA = 'host has no time zone data, not compared with Node';

type Difference = ZoneDifference | null;

export function createZones({
  clock,
  logger,
  zoneHost,
}: Pick<EngineDeps, 'clock' | 'logger' | 'zoneHost'>): Zones {
  const known = new Map<string | null, Difference>();
  let comparedOn = dayOf(clock.now());
  const markNow = (): string => zoneHost?.zone?.() ?? hostZone();
  let mark = markNow();
  let timer: TimerHandle | null = null;
  let isLogged = false;
  warnOfOwn(logger, zoneHost);
  const compare = async (zone: string | null): Promise<void> => {
    const bytes = (await zoneHost?.data(zone)) ?? null;
    if (bytes === null) return;
    const now = clock.now();
    const data = parseTzif(bytes);
    const difference = data && zoneDifference(zone, data, now, now + AHEAD_MS);
    const before = known.get(zone) ?? null;
    known.set(zone, difference);
    if (difference === null || isSame(difference, before)) return;
    const { message, ...fields } = stateFor(zone, difference);
    logger.warn(fields, message);
  };
  const use = async (zones: Iterable<string | null>): Promise<void> => {
    if (zoneHost === undefined) return;
    try {
      if (!(await zoneHost.hasData())) {
        if (!isLogged) logger.info({}, NO_DATA);
        isLogged = true;
        return;
      }
      for (const zone of new Set(zones)) if (!known.has(zone)) await compare(zone);
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'cannot compare time zone data');
    }
  };
  const look = async (onChange: () => void): Promise<void> => {
    await zoneHost?.refresh();
    const now = markNow();
    if (now !== mark) {
      warnOfChange(logger, zoneHost, { from: mark, to: now });
      mark = now;
      forgetHostZone();
      known.delete(null);
      onChange();
    }
    const day = dayOf(clock.now());
    if (day === comparedOn) return;
    comparedOn = day;
    for (const zone of [...known.keys()]) await compare(zone);
  };
  const watch = (onChange: () => void): void => {
    timer = clock.setTimeout(() => {
      look(onChange)
        .catch((error: unknown) =>
          logger.warn({ error: messageOf(error) }, 'cannot determine the time zone of the host'),
        )
        .finally(() => {
          if (timer !== null) watch(onChange);
        });
    }, LOOK_MS);
  };
  return {
    use,
    get hostMark() {
      return mark;
    },
    stateOf(when) {
      if (when?.kind !== 'cron') return null;
      const difference = known.get(when.timezone) ?? null;
      return difference === null ? null : stateFor(when.timezone, difference);
    },
    start: watch,
    close() {
      if (timer !== null) clock.clearTimeout(timer);
      timer = null;
    },
  };
}

function warnOfChange(
  logger: EngineDeps['logger'],
  zoneHost: EngineDeps['zoneHost'],
  marks: { readonly from: string; readonly to: string },
): void {
  logger.warn(marks, 'time zone of the host changed');
  warnOfOwn(logger, zoneHost);
}

function warnOfOwn(logger: EngineDeps['logger'], zoneHost: EngineDeps['zoneHost']): void {
  const reason = zoneHost?.warning?.() ?? null;
  if (reason !== null) logger.warn({ zone: hostZone(), reason }, 'invalid time zone, using UTC');
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

function isSame(one: ZoneDifference, other: Difference): boolean {
  return one.ours === other?.ours && one.theirs === other.theirs;
}

function stateFor(zone: string | null, { from, ours, theirs }: ZoneDifference): ZoneDataState {
  const state = {
    zone: zone ?? hostZone(),
    from: isoTime(from),
    offset: offsetText(ours),
    hostOffset: offsetText(theirs),
  };
  const message = `Node and the host have different zone data for ${state.zone} from ${state.from}: ${state.offset} in Node, which is used, and ${state.hostOffset} on the host. Update Node or tzdata, and restart svc.`;
  return { ...state, message };
}

/** A UTC offset (milliseconds) such as `+05:30`. */
function offsetText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
