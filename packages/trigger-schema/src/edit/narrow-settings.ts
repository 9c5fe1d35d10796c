import { type Checked, invalid, isRecord, success } from '@svc/core';
import type { Base } from '../base.ts';
import { type Plain, sameValue } from '../plain.ts';
import { isTooLarge } from '../yaml/file.ts';
import type { MapTree } from '../yaml/tree.ts';
import { type ScalarChange, scalarSplices } from './scalar.ts';
import { applySplices } from './splice.ts';

// Two fields that a merge key brings into one map are written one after the other.
const MOST_ROUNDS = 3;

/**
 * Resets the settings of a `project.yaml` that widen the rights of agents: `hooksMcpEnabled: true` becomes false,
 * `maxSpawnDepth` is lowered to the given one, and `keeper.permissionMode: bypassPermissions` becomes `default`.
 * Every other byte stays.
 * Refuses, with an issue, a file in which that leaves such a setting or changes any other value.
 */
export function narrowSettings(base: Base, maxSpawnDepth: number): Checked<Base> {
  const path = widening(base.root, maxSpawnDepth)[0]?.path;
  if (path === undefined) return success(base);
  let now = base;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const changes = widening(now.root, maxSpawnDepth);
    if (changes.length === 0) break;
    const text = applySplices(now.file.text, scalarSplices(now, changes));
    const after = isTooLarge(text) ? null : base.read(text);
    if (after?.ok !== true) break;
    now = after.value;
  }
  const isDone =
    widening(now.root, maxSpawnDepth).length === 0 &&
    sameValue(withoutThem(now.root), withoutThem(base.root));
  if (isDone) return success(now);
  const message = 'cannot be changed in place. Remove it, or write it without an anchor.';
  return invalid({ path, message });
}

interface Widening extends ScalarChange {
  readonly path: string;
}

function widening(root: MapTree | null, maxSpawnDepth: number): Widening[] {
  const keeper = root?.fields.get('keeper')?.tree;
  const found: Widening[] = [];
  const look = (path: string, tree: MapTree, isWide: (value: unknown) => boolean, is: string) => {
    const key = path.replace('keeper.', '');
    const field = tree.fields.get(key);
    if (field !== undefined && isWide(field.tree.value)) {
      found.push({ path, tree, key, written: is });
    }
  };
  if (root !== null) {
    look('hooksMcpEnabled', root, (value) => value === true, 'false');
    const isDeep = (value: unknown) => typeof value === 'number' && value > maxSpawnDepth;
    look('maxSpawnDepth', root, isDeep, String(maxSpawnDepth));
  }
  if (keeper?.kind === 'map') {
    const isBypass = (value: unknown) => value === 'bypassPermissions';
    look('keeper.permissionMode', keeper, isBypass, 'default');
  }
  return found;
}

/** The content of a file without the settings that are reset. */
function withoutThem(root: MapTree | null): unknown {
  const { hooksMcpEnabled: _, maxSpawnDepth: __, keeper, ...rest } = root?.value ?? {};
  return [rest, isRecord(keeper) ? withoutMode(keeper) : keeper];
}

function withoutMode({ permissionMode: _, ...rest }: Plain): Plain {
  return rest;
}
