import { messageOf, sentencesOf } from '@svc/core';
import type { SlotCursor } from '@svc/records';
import { nextFireMs } from '@svc/recurrence';
import { NEVER_AGAIN } from './agenda.ts';
import { ARMING } from './arming.ts';
import type { ArmRequest, ArmState } from './contract.ts';
import { recurrenceOf } from './slots.ts';

/**
 * The state of a wanted trigger that another process owns, from its stored data.
 * @param stored stored data of the claims port; absent: none
 * @param now milliseconds since the epoch
 */
export function storedState(
  request: ArmRequest,
  stored: SlotCursor | undefined,
  now: number,
): ArmState {
  const none = { armed: false, nextFire: null, clock: null };
  if (stored?.scheduleHash !== request.scheduleHash) return { ...none, error: ARMING };
  const recurrence = recurrenceOf(request, stored.anchor);
  if (!recurrence.ok) return { ...none, error: sentencesOf(recurrence.issues, 'The schedule') };
  try {
    const nextFire = nextFireMs(recurrence.value, Math.max(now, stored.cursor));
    if (nextFire === null) return { ...none, error: NEVER_AGAIN };
    return { armed: true, nextFire, error: null, clock: null };
  } catch (error) {
    return { ...none, error: messageOf(error) };
  }
}
