import { meantName } from '@svc/trigger-schema';

/** A question with the most similar known name, preceded by a space; empty if none is similar. */
export function didYouMean(unknown: string, known: readonly string[]): string {
  const meant = meantName(unknown, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}
