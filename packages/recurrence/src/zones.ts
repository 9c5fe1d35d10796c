import { kindOf, quoted } from '@svc/core';
import { createMemo } from './memo.ts';
import { createZone, fixedZone, type OffsetProbe, type Zone } from './zone-table.ts';

// Formatting counts years of the Common Era only; before and long after it no zone changes its rules.
const FIRST_PROBE = Date.UTC(1000, 0, 1);
const LAST_PROBE = Date.UTC(200_000, 0, 1);

const UTC: Zone = fixedZone(0);
const UTC_NAMES: ReadonlySet<string> = new Set(['utc', 'etc/utc', 'gmt', 'etc/gmt']);

// ICU knows these abbreviations and gives each one meaning of several; the IANA database has none of them.
const NOT_IANA =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

// More than the names that exist, so that a zone in use is never forgotten.
const zones = createMemo<Zone>(1024);
let host: Zone | null = null;

/** What is wrong with a time zone name and what would be right, or null when it is one. */
export function timezoneFault(name: unknown): string | null {
  const hint = 'write an IANA name such as "Europe/Berlin" or "UTC"';
  if (typeof name !== 'string') return `is ${kindOf(name)}; ${hint}, or leave it out for host time`;
  if (name === '') return `is empty; ${hint}, or leave it out for host time`;
  if (name.length > 64 || !NAME.test(name) || NOT_IANA.test(name) || zoneNamed(name) === null) {
    return `${quoted(name)} is not an IANA time zone name; ${hint}`;
  }
  return null;
}

/** The zone of an IANA name in any case, or null when there is none. */
export function zoneNamed(name: string): Zone | null {
  const known = zones.read(name);
  if (known !== undefined) return known;
  const zone = UTC_NAMES.has(name.toLowerCase()) ? UTC : probedZone(name);
  return zone === null ? null : zones.keep(name, zone);
}

/** The zone of the host; `fresh` forgets what was found out about it before. */
export function hostZone(fresh: boolean): Zone {
  if (host === null || fresh) host = createZone(probeFields(hostFields));
  return host;
}

/** To be called when the zone of the host has changed. */
export function forgetHostZone(): void {
  host = null;
}

/** The host's offset as `Date` gives it, to the whole minute, in milliseconds. */
export function hostOffset(instant: number): number {
  return new Date(instant).getTimezoneOffset() * -60_000;
}

function probedZone(name: string): Zone | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return createZone(probeFields((instant) => formattedFields(format, instant)));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Local year, month from 0, day, hour, minute and second. */
type Fields = readonly [number, number, number, number, number, number];

function formattedFields(format: Intl.DateTimeFormat, instant: number): Fields {
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = (
    format.format(instant).match(/\d+/g) ?? []
  ).map(Number);
  return [year, month - 1, day, hour, minute, second];
}

function hostFields(instant: number): Fields {
  const date = new Date(instant);
  return [
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  ];
}

function probeFields(fieldsAt: (instant: number) => Fields): OffsetProbe {
  return (instant) => {
    const clamped = Math.min(Math.max(instant, FIRST_PROBE), LAST_PROBE);
    const seconds = Math.floor(clamped / 1000) * 1000;
    return Date.UTC(...fieldsAt(seconds)) - seconds;
  };
}
