import type { Capability } from '@svc/records';

/** One tool call that the runtime's agent is made to try. */
export interface FenceCall {
  readonly name: string;
  readonly input: unknown;
}

/** Two folders beside each other: the project, and one with a secret that no tool may reach. */
export interface FenceWorld {
  readonly project: string;
  /** Holds `secret.txt`; must stay exactly as it is. */
  readonly outside: string;
}

/** What must have come of a case, beside the secret being kept and the folder outside being untouched. */
export interface FenceExpectation {
  /** Whether each call is refused (in `denied`), works, fails, or either of the last two. */
  readonly calls: 'denied' | 'works' | 'fails' | 'any';
  /** Files of the project with their content; null for none. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Whether all calls must be answered alike but for the name of the file. */
  readonly alike?: boolean;
}

/** One thing that a fence must hold. Each call is tried in a turn of its own. */
export interface FenceCase {
  readonly name: string;
  readonly capability: Partial<Capability>;
  readonly depth?: number;
  /** Prepares the folders; may return what stops a disturbance that it started. */
  setup?(world: FenceWorld): Promise<(() => Promise<void>) | undefined>;
  calls(world: FenceWorld): readonly FenceCall[];
  readonly expected: FenceExpectation;
}
