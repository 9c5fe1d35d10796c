/** Who did something. `id` is the client id of a client, the name of a person who has one, else null. */
export interface Actor {
  readonly kind: 'user' | 'keeper' | 'client';
  readonly id: string | null;
}

/** The author of a change in a sentence: `a user`, `keeper`, `client:<clientId>` or the name of a person. */
export function authorText(by: string): string {
  return by === 'user' ? 'a user' : by;
}

/** The pause of all triggers in a sentence: `All triggers were paused by a user (reason: The wiki moves).` */
export function pauseSentence({
  by,
  reason,
}: {
  readonly by: string;
  readonly reason: string | null;
}): string {
  const why = reason === null ? '' : ` (reason: ${reason.replace(/\.$/, '')})`;
  return `All triggers were paused by ${authorText(by)}${why}.`;
}

/** The wire form of an actor: `user`, `keeper` or `client:<clientId>`. */
export function actorText(actor: Actor): string {
  return actor.kind === 'client' ? `client:${actor.id}` : actor.kind;
}
