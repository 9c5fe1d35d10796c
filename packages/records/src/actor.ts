/** Who did something. `id` is the client id of a client, else null. */
export interface Actor {
  readonly kind: 'user' | 'keeper' | 'client';
  readonly id: string | null;
}

/** The wire form of an actor: `user`, `keeper` or `client:<clientId>`. */
export function actorText(actor: Actor): string {
  return actor.kind === 'client' ? `client:${actor.id}` : actor.kind;
}

/**
 * Who calls an operation, and what it may start.
 *
 * `depth` is that of the calling turn (0 for people and clients); `spawnLimit` is the highest depth that a turn started
 * by this caller may have, null where only project and instance bound it.
 */
export interface Caller {
  readonly actor: Actor;
  /** The keeper's own project and chat; null for people and clients. */
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly turnId: string | null;
  readonly depth: number;
  readonly spawnLimit: number | null;
}
