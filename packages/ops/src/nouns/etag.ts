import type { NamedTrigger } from '@svc/trigger-schema';
import { hash } from './definition.ts';

/** The entity tag of a trigger, which changes whenever its record changes. */
export function etagOf(record: NamedTrigger): string {
  return `"${hash(JSON.stringify(record))}"`;
}
