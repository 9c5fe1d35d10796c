import { isRecord } from '@svc/core';
import { SECTIONS, TOP_FIELDS } from '../fields.ts';
import { own, sameValue } from '../plain.ts';
import type { MapTree } from '../yaml/tree.ts';
import { type Desired, sameField, sameSection, unknownFields } from './desired.ts';

const SECTION_NAMES = ['trigger', 'run', 'policy'] as const;

/** Whether an edit of some entries left every other value of a file unchanged and in order. */
export function onlyEntryChanged(
  before: MapTree | null,
  after: MapTree | null,
  ...names: readonly string[]
): boolean {
  const was = withoutTriggers(before);
  const is = withoutTriggers(after);
  return sameEntries(was, is) && sameEntries(others(before, names), others(after, names));
}

function withoutTriggers(root: MapTree | null): Map<string, unknown> {
  const values = valuesOf(root);
  values.delete('triggers');
  return values;
}

function others(root: MapTree | null, names: readonly string[]): Map<string, unknown> {
  const triggers = root?.fields.get('triggers')?.tree;
  const values = valuesOf(triggers?.kind === 'map' ? triggers : null);
  for (const name of names) values.delete(name);
  return values;
}

function valuesOf(tree: MapTree | null): Map<string, unknown> {
  return new Map([...(tree?.fields ?? [])].map(([key, field]) => [key, field.tree.value]));
}

function sameEntries(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return sameValue([...a.keys()], [...b.keys()]) && sameValue([...a.values()], [...b.values()]);
}

/** The value of an entry of `triggers`; undefined if it does not exist. */
export function entryValue(root: MapTree | null, name: string): unknown {
  const triggers = root?.fields.get('triggers')?.tree;
  return triggers?.kind === 'map' ? triggers.fields.get(name)?.tree.value : undefined;
}

/** Whether an entry has the desired content, and kept its unknown fields. */
export function saysWanted(before: unknown, after: unknown, desired: Desired): boolean {
  if (!isRecord(after)) return false;
  const had = isRecord(before) ? before : {};
  return (
    sameField(null, 'enabled', own(after, 'enabled'), desired.enabled) &&
    sameValue(unknownFields(had, TOP_FIELDS), unknownFields(after, TOP_FIELDS)) &&
    SECTION_NAMES.every(
      (section) =>
        sameSection(section, own(after, section), desired[section]) &&
        sameValue(
          unknownFields(own(had, section), SECTIONS[section]),
          unknownFields(own(after, section), SECTIONS[section]),
        ),
    )
  );
}
