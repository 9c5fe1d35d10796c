import { isRecord } from '@svc/core';
import type { Field } from '../field-row.ts';
import { fieldsOf, SECTIONS, type Section, TOP_FIELDS } from '../fields.ts';
import { own, type Plain, put, sameValue } from '../plain.ts';
import { isBlank } from '../validate/prompt.ts';

/** The desired content of an entry: known fields only, without absent ones. */
export interface Desired {
  readonly trigger?: Plain;
  readonly run?: Plain;
  readonly policy?: Plain;
  readonly enabled: unknown;
}

/** Converts a record to the form in which it is written: known fields in their order, without absent ones. */
export function desiredOf(record: Plain): Desired {
  const desired: Record<string, unknown> = {};
  for (const field of TOP_FIELDS) {
    if (field === 'enabled') desired[field] = own(record, field) ?? false;
    else {
      const section = sectionOf(own(record, field), field);
      if (Object.keys(section).length > 0) desired[field] = section;
    }
  }
  return desired as unknown as Desired;
}

function sectionOf(value: unknown, section: Section): Plain {
  const fields: Record<string, unknown> = {};
  if (!isRecord(value)) return fields;
  for (const field of SECTIONS[section]) {
    const given = own(value, field);
    if (given !== undefined && !isAbsent(fieldsOf(section)[field], given)) fields[field] = given;
  }
  return fields;
}

function isAbsent(field: Field | undefined, value: unknown): boolean {
  return field?.blankIsAbsent === true && isBlank(value);
}

/** Whether two values of a field mean the same, defaults included. */
export function sameField(section: Section | null, field: string, a: unknown, b: unknown): boolean {
  return sameValue(meaning(section, field, a), meaning(section, field, b));
}

function meaning(section: Section | null, name: string, value: unknown): unknown {
  const field = fieldsOf(section)[name];
  const given = value === null || isAbsent(field, value) ? undefined : value;
  const isList = field?.schema.type === 'array' && Array.isArray(given);
  return isList ? [...new Set(given)] : (given ?? field?.default);
}

/** Whether a section of the file has the desired content. */
export function sameSection(section: Section, stands: unknown, wanted: Plain | undefined): boolean {
  if (stands !== undefined && stands !== null && !isRecord(stands)) return false;
  return SECTIONS[section].every((field) =>
    sameField(section, field, own(stands ?? {}, field), own(wanted ?? {}, field)),
  );
}

/** The unknown fields of a map, as written. */
export function unknownFields(value: unknown, known: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  if (!isRecord(value)) return kept;
  for (const [key, field] of Object.entries(value)) if (!known.includes(key)) put(kept, key, field);
  return kept;
}

/** A complete entry: the desired fields, and the unknown fields of the existing entry. */
export function expandEntry(stands: unknown, desired: Desired): Plain {
  const entry: Record<string, unknown> = {};
  const before = isRecord(stands) ? stands : {};
  for (const field of TOP_FIELDS) {
    const value =
      field === 'enabled' ? desired.enabled : expandSection(own(before, field), desired, field);
    if (value !== undefined) entry[field] = value;
  }
  return { ...entry, ...unknownFields(before, TOP_FIELDS) };
}

/** A complete section; undefined if it has no content. */
export function expandSection(
  stands: unknown,
  desired: Desired,
  section: Section,
): Plain | undefined {
  const unknown = unknownFields(stands, SECTIONS[section]);
  const value = { ...desired[section], ...unknown };
  return Object.keys(value).length === 0 ? undefined : value;
}
