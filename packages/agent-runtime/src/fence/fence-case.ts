import type { Capability } from '@svc/records';
import type { EventData, Runtime } from '../runtime.ts';

/** One tool call that the runtime's agent is made to try. */
export interface FenceCall {
  readonly name: string;
  readonly input: unknown;
}

/** Two folders beside each other: the project, and one with a secret that no tool may reach. And a server that holds it too. */
export interface FenceWorld {
  readonly project: string;
  /** Holds `secret.txt`; must stay exactly as it is. */
  readonly outside: string;
  /** What must never be told. */
  readonly secret: string;
  /** Address of a server on this machine that nobody may reach: `http://127.0.0.1:<port>`. */
  readonly server: string;
  /** The same server under the subject's `openHost`, where `/moved?to=` redirects; `''` without one. */
  readonly openServer: string;
}

/** What must have come of a case, beside the secret being kept, the folder outside untouched and the server not reached. */
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
  /** Whether the calls are tried by a child turn, which `Task` starts. */
  readonly inChild?: boolean;
  /** Whether it can only be tried on a subject with an `openHost`. */
  readonly needsOpenHost?: boolean;
  /** What the author has written before that which makes the agent call; must stay text. */
  preface?(world: FenceWorld): string;
  /** The event that starts the turn; `orders` is a prompt of the subject that makes its agent leave a file `ran`. */
  data?(world: FenceWorld, orders: string): EventData;
  /** Prepares the folders; may return what stops a disturbance that it started. */
  setup?(world: FenceWorld): Promise<(() => Promise<void>) | undefined>;
  /** A call that the same turn makes before each of them; what comes of it does not count. */
  before?(world: FenceWorld): FenceCall;
  calls(world: FenceWorld): readonly FenceCall[];
  readonly expected: FenceExpectation;
}

/** The runtime to be tried, and how to make its agent call tools. */
export interface FenceSubject {
  readonly runtime: Runtime;
  /** The prompt (or the preparation of a fake model) that makes the agent try exactly these calls. */
  promptOf(calls: readonly FenceCall[]): string | Promise<string>;
  /** Everything that its model was sent so far, where it has a fake one: must hold what authors wrote, and no secret. */
  told?(): string;
  /** A host name that leads to this machine, and that WebFetch may fetch all the same. */
  readonly openHost?: string;
  /** Whom the folders belong to. Default: the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  close?(): Promise<void>;
}
