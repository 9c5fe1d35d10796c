import { lossSentence, type Slug } from '@svc/records';
import type { GoneNode } from '@svc/store';
import { holderOf } from './holders.ts';

/** Remembers servers that were lost, and what they looked after. */
export interface Losses {
  /** Notes some, and which servers there were until then. */
  note(lost: readonly GoneNode[], serving: readonly string[]): void;
  /** Why nobody claimed a slot of a project that was due at an instant, in a sentence; null where it was not for that. */
  reasonFor(project: Slug, due: number): string | null;
}

interface Loss {
  readonly node: GoneNode;
  readonly serving: readonly string[];
}

const MOST = 16;
/** So long after a server is held for dead another one has armed what it looked after. */
const ARMED_MS = 10_000;

export function createLosses(): Losses {
  let losses: readonly Loss[] = [];
  return {
    note(lost, serving) {
      losses = [...losses, ...lost.map((node) => ({ node, serving }))].slice(-MOST);
    },
    reasonFor(project, due) {
      const loss = losses.findLast(
        ({ node, serving }) =>
          due > Date.parse(node.heartbeatAt) &&
          due <= Date.parse(node.goneAt) + ARMED_MS &&
          holderOf(project, serving) === node.id,
      );
      return loss === undefined ? null : lossSentence(loss.node);
    },
  };
}
