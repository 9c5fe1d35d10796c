import type { JSX } from 'react';
import type { Entry } from '../model/entries.ts';
import { When } from './Time.tsx';

/** Whether a clock or zone data do something to a trigger that is worth telling. */
export function hasTimeNotes({ silence, zoneData }: Entry): boolean {
  return silence !== null || zoneData !== null;
}

/** What its clock and zone data do to a trigger, each in a paragraph. */
export function TimeNotes({ entry }: { readonly entry: Entry }): JSX.Element {
  const { silence, zoneData } = entry;
  return (
    <>
      {silence === null ? null : (
        <p>
          Silent until <When at={silence.until} />: its slots before ran while the clock was ahead,
          and none runs twice.
        </p>
      )}
      {zoneData === null ? null : (
        <p>
          Zone data of Node and of the host differ for {zoneData.zone} from{' '}
          <When at={zoneData.from} /> on: {zoneData.offset} by Node, by which it fires, and{' '}
          {zoneData.hostOffset} by the host. Update Node, or tzdata of the host, and start svc
          again.
        </p>
      )}
    </>
  );
}
