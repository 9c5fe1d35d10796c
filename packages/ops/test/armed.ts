import { type TriggerKey, triggerId } from '@svc/records';
import type { World } from './harness.ts';

/** Identifies the schedule that is armed for a trigger. */
export async function armedHash({ store }: World, key: TriggerKey): Promise<string> {
  const armed = (await store.claims.loadProject(key.project)).get(triggerId(key));
  if (armed === undefined) throw new Error(`${triggerId(key)} is not armed.`);
  return armed.scheduleHash;
}
