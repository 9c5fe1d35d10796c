import { TurnStop } from '@svc/agent-runtime';
import { abridged } from '@svc/core';
import { authorText } from '@svc/records';
import type { StopCodec } from '@svc/store';

const KINDS = ['cancelled', 'interrupted', 'timed_out', 'failed'] as const;

// A signal is limited to 1 kB.
const LONGEST = 200;

/** Encodes requests to stop a turn for the server that runs it. */
export const STOP_CODEC: StopCodec = {
  encode(why) {
    const { kind, reason } = asStop(why);
    return { stop: kind, reason: abridged(reason, LONGEST) };
  },
  decode({ stop, reason }) {
    const kind = KINDS.find((each) => each === stop);
    return kind === undefined || typeof reason !== 'string'
      ? cancelledBy(null)
      : new TurnStop(kind, reason);
  },
  requestedBy: cancelledBy,
};

function asStop(why: unknown): TurnStop {
  return why instanceof TurnStop ? why : cancelledBy(null);
}

function cancelledBy(by: string | null): TurnStop {
  return new TurnStop('cancelled', by === null ? 'Cancelled.' : `Cancelled by ${authorText(by)}.`);
}
