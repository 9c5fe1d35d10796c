import { lossSentence, type Slug } from '@svc/records';
import type { GoneNode } from '@svc/store';
import { holderOf } from './holders.ts';

/** Records lost servers and the projects that they owned. */
export interface Losses {
  /** Records lost servers, and which servers were live until then. */
  note(lost: readonly GoneNode[], serving: readonly string[]): void;
  /** Why no server claimed a slot of a project at its scheduled time, in a sentence; null if that is not the cause. */
  reasonFor(project: Slug, due: number): string | null;
}

interface Loss {
  readonly node: GoneNode;
  readonly serving: readonly string[];
}

const MOST = 16;
/** Time until another server has armed the projects of an evicted one. */
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
