import type { Capability } from '@svc/records';
import type { EventData, Runtime } from '../runtime.ts';

/** One tool call that the agent attempts. */
export interface FenceCall {
  readonly name: string;
  readonly input: unknown;
}

/** Two sibling folders, the project and one with a secret that no tool may reach, and a server with the same secret. */
export interface FenceWorld {
  readonly project: string;
  /** Contains `secret.txt`. Must not change. */
  readonly outside: string;
  /** Must never be disclosed. */
  readonly secret: string;
  /** Address of a server on this machine that must not be reached: `http://127.0.0.1:<port>`. */
  readonly server: string;
  /** The same server under the subject's `openHost`, where `/moved?to=` redirects; `''` without one. */
  readonly openServer: string;
}

/**
 * The expected result of a case. In addition, the secret must not be disclosed, the folder outside must not change and
 * the server must not be reached.
 */
export interface FenceExpectation {
  /** Whether each call is refused (listed in `denied`), works, fails, or either of the last two. */
  readonly calls: 'denied' | 'works' | 'fails' | 'any';
  /** Expected files of the project with their content; null for a missing file. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Whether all calls must get the same result except for the file name. */
  readonly alike?: boolean;
}

/** One check of the fence suite. Each call runs in its own turn. */
export interface FenceCase {
  readonly name: string;
  readonly capability: Partial<Capability>;
  readonly depth?: number;
  /** Whether a child turn, started with `Task`, makes the calls. */
  readonly inChild?: boolean;
  /** Whether it needs a subject with an `openHost`. */
  readonly needsOpenHost?: boolean;
  /** Text of the author before the prompt that makes the agent call tools. Must be treated as text. */
  preface?(world: FenceWorld): string;
  /** The event that starts the turn. `orders` is a prompt that makes the agent of the subject create a file `ran`. */
  data?(world: FenceWorld, orders: string): EventData;
  /** Prepares the folders. May return a function that stops a disturbance. */
  setup?(world: FenceWorld): Promise<(() => Promise<void>) | undefined>;
  /** A call that the same turn makes first. Its result is ignored. */
  before?(world: FenceWorld): FenceCall;
  calls(world: FenceWorld): readonly FenceCall[];
  readonly expected: FenceExpectation;
}

/** The runtime under test, and how to make its agent call tools. */
export interface FenceSubject {
  readonly runtime: Runtime;
  /** Returns a prompt (or prepares a fake model) that makes the agent attempt exactly these calls. */
  promptOf(calls: readonly FenceCall[]): string | Promise<string>;
  /** Everything sent to its fake model so far, if it has one. Must contain the text of authors and no secret. */
  requests?(): string;
  /** A host name that resolves to this machine and that WebFetch is allowed to fetch. */
  readonly openHost?: string;
  /** Owner of the folders. Default: the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  close?(): Promise<void>;
}
