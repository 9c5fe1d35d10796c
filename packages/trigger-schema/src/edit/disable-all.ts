import { type Checked, invalid, success } from '@svc/core';
import type { Base } from '../base.ts';
import { isTooLarge } from '../yaml/file.ts';
import type { MapTree } from '../yaml/tree.ts';
import { scalarSplices } from './scalar.ts';
import { applySplices } from './splice.ts';

const MAPS = ['triggers', 'schedules'] as const;

/**
 * Writes `enabled: false` into every entry of `triggers` and `schedules` of a `project.yaml`, valid or not. An
 * entry that an alias or a merge key refers to is changed where it is written; every other byte stays.
 * Refuses, with an issue, a file in which that leaves an entry enabled.
 */
export function disableAll(base: Base): Checked<Base> {
  const enabled = enabledEntries(base.root);
  if (enabled.length === 0) return success(base);
  // Entries that share a map are disabled by one change.
  const changes = enabled.map(({ tree }) => ({ tree, key: 'enabled', written: 'false' }));
  const text = applySplices(base.file.text, scalarSplices(base, changes));
  const after = isTooLarge(text) ? null : base.read(text);
  if (after?.ok === true && enabledEntries(after.value.root).length === 0) return after;
  const path = enabled[0]?.path ?? '';
  return invalid({ path, message: 'cannot be disabled in place; set enabled: false there.' });
}

interface Entry {
  readonly path: string;
  readonly tree: MapTree;
}

/** The entries without `enabled: false`. A value that is not a map can never be armed. */
function enabledEntries(root: MapTree | null): Entry[] {
  return MAPS.flatMap((key) => {
    const tree = root?.fields.get(key)?.tree;
    if (tree?.kind !== 'map') return [];
    return [...tree.fields].flatMap(([name, field]) => {
      const entry = field.tree;
      if (entry.kind !== 'map') return [];
      const isDisabled = entry.fields.get('enabled')?.tree.value === false;
      return isDisabled ? [] : [{ path: `${key}.${name}`, tree: entry }];
    });
  });
}
