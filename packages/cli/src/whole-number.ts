import type { CommandLine } from './context.ts';
import { UsageError } from './terminal.ts';

/**
 * Parses an option with a whole number from 1.
 *
 * @param most maximum
 * @param absent default
 * @throws UsageError if it is invalid
 */
export function wholeNumber(
  options: CommandLine['options'],
  name: string,
  { most, absent }: { readonly most: number; readonly absent: number },
): number {
  const given = options[name];
  if (given === undefined) return absent;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`);
}
