import type { JSX } from 'react';
import type { Entry } from '../model/entries.ts';
import { When } from './Time.tsx';

/** Whether the clock or the zone data affect a trigger. */
export function hasTimeNotes({ silence, zoneData }: Entry): boolean {
  return silence !== null || zoneData !== null;
}

/** The effects of clock and zone data on a trigger, each in a paragraph. */
export function TimeNotes({ entry }: { readonly entry: Entry }): JSX.Element {
  const { silence, zoneData } = entry;
  return (
    <>
      {silence === null ? null : (
        <p>
          Silent until <When at={silence.until} />: its scheduled times before then already ran
          while the clock was ahead, and none runs twice.
        </p>
      )}
      {zoneData === null ? null : (
        <p>
          The time zone data of Node and of the host differ for {zoneData.zone} from{' '}
          <When at={zoneData.from} />: {zoneData.offset} in Node, which this trigger uses, and{' '}
          {zoneData.hostOffset} on the host. Update Node or tzdata on the host, then restart svc.
        </p>
      )}
    </>
  );
}
