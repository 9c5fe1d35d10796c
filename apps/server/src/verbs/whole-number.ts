import { UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/**
 * An option that is a whole number from 1 on.
 *
 * @param most the greatest that it may be
 * @param absent what it is where it was not given
 * @throws UsageError for anything else
 */
export function wholeNumber(
  options: VerbContext['options'],
  name: string,
  { most, absent }: { readonly most: number; readonly absent: number },
): number {
  const given = options[name];
  if (given === undefined) return absent;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`);
}
