import type { AskedModel } from '@svc/agent-runtime';
import type { NewMessage, Run } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';

/** What is to be known of a turn that is followed. */
export type TracedTurn = Pick<
  OpenTurn,
  | 'id'
  | 'sessionId'
  | 'runId'
  | 'run'
  | 'project'
  | 'capability'
  | 'depth'
  | 'queuedAt'
  | 'runtime'
  | 'model'
>;

/** Follows fires while they happen, for traces. Whatever it does, it returns at once and never throws. */
export interface Tracer {
  /** What processes of a turn get into their environment, so that their own programs join its trace. */
  environment(turn: Pick<TracedTurn, 'id' | 'runId'>): Readonly<Record<string, string>>;
  /** Follows a turn that starts now. */
  follow(turn: TracedTurn): TurnTracer;
  /** A run has ended, as its record says; it may have been claimed, and started, by another process. */
  ended(run: Run): void;
}

/** Follows one turn. */
export interface TurnTracer {
  /** Something was said: of it, only which tools are called and how they end is of interest. */
  said(message: NewMessage, within: string | null): void;
  /** A model call has come to its end. */
  asked(call: AskedModel): void;
  /** The turn has ended; what it has begun has ended with it. */
  ended(ending: TurnEnding): void;
}
