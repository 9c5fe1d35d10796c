import { meantName } from '@svc/trigger-schema';

/** A question that names the known name which an unknown one is nearest to, with a space before it; empty for none. */
export function didYouMean(unknown: string, known: readonly string[]): string {
  const meant = meantName(unknown, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}
