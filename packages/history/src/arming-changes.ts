import { isoTime } from '@svc/core';
import { type SlotCursor, type TriggerId, type TriggerKey, triggerId } from '@svc/records';
import type { KnownEntry, NewChange } from '@svc/store';
import type { KnownEntries } from './definition-changes.ts';

/** A change of what is armed, with the new known state. */
export interface ArmingChange {
  readonly change: NewChange;
  readonly now: KnownEntry;
}

/** Compares what is armed with its last known state. */
export function armingChanges(
  { project, at }: { readonly project: string; readonly at: string },
  known: KnownEntries,
  cursors: ReadonlyMap<TriggerId, SlotCursor>,
  failed: readonly { readonly key: TriggerKey; readonly reason: string }[],
): ArmingChange[] {
  const troubles = new Map(failed.map(({ key, reason }) => [triggerId(key), reason]));
  return [...known.values()].flatMap((entry) => {
    const { source, name } = entry;
    if (source === 'file') return [];
    const id = triggerId({ project, source, name });
    const cursor = cursors.get(id);
    const now: KnownEntry = {
      ...entry,
      armedSince: cursor === undefined ? null : isoTime(cursor.armedSince),
      anchor: cursor === undefined ? null : isoTime(cursor.anchor),
      trouble: troubles.get(id) ?? null,
    };
    const kind = kindOf(entry, now);
    if (kind === null) return [];
    const change: NewChange = {
      ...{ at, project, source, trigger: name, kind },
      ...{ by: null, via: 'service', sessionId: null, writtenAt: null },
      reason: now.trouble,
      fields: [],
      standing: null,
      anchor: kind === 'armed' ? now.anchor : null,
    };
    return { change, now };
  });
}

function kindOf(before: KnownEntry, now: KnownEntry): 'armed' | 'disarmed' | 'not_armed' | null {
  if (now.trouble !== null) return now.trouble === before.trouble ? null : 'not_armed';
  if (now.armedSince === null) return before.armedSince === null ? null : 'disarmed';
  const isSame =
    now.armedSince === before.armedSince && now.anchor === before.anchor && before.trouble === null;
  return isSame ? null : 'armed';
}
