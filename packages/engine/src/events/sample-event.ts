import { MAX_EVENT_BYTES } from '@svc/agent-runtime';
import { failure, isDeeperThan, isRecord, type Result, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { EventData } from '@svc/records';
import { invalidInput, type OperationError } from '../errors.ts';

const MOST_LEVELS = 32;

/** What is wrong with a value as event data, as the end of a sentence; null if it is valid. */
export function eventFault(value: unknown): string | null {
  if (!isRecord(value)) return 'must be a JSON object.';
  if (isDeeperThan(value, MOST_LEVELS)) {
    return `is nested too deeply: the limit is ${MOST_LEVELS} levels.`;
  }
  return Buffer.byteLength(JSON.stringify(value)) > MAX_EVENT_BYTES
    ? 'is too large: the limit is 256 KiB of JSON.'
    : null;
}

/** The event for a test of a trigger; null if there is no such trigger, which firing reports. */
export function sampleEvent(
  { slug, file }: Pick<ProjectSnapshot, 'slug' | 'file'>,
  name: string,
  data: EventData['data'],
): Result<EventData | null, OperationError> {
  const trigger = file?.triggers.get(name)?.record.trigger;
  if (trigger === undefined) return success(null);
  if (trigger.type !== 'event') {
    return refused(`applies to event triggers only, and ${name} is a ${trigger.type} trigger.`);
  }
  const fault = eventFault(data);
  return fault === null ? success({ event: trigger.on, project: slug, data }) : refused(fault);
}

function refused(message: string): Result<never, OperationError> {
  return failure(invalidInput([{ path: 'event', message }]));
}
