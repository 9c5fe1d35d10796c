import type { AskedModel } from '@svc/agent-runtime';
import type { NewMessage, Run } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';

/** The traced part of a turn. */
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

/** Traces turns and runs. Its methods return at once and never throw. */
export interface Tracer {
  /** Environment variables for processes of a turn, so that their programs join its trace. */
  environment(turn: Pick<TracedTurn, 'id' | 'runId'>): Readonly<Record<string, string>>;
  /** Traces a turn that starts now. */
  follow(turn: TracedTurn): TurnTracer;
  /** A run ended; another server may have claimed or started it. */
  ended(run: Run): void;
}

/** Traces one turn. */
export interface TurnTracer {
  /** A message; only tool calls and results are traced. */
  said(message: NewMessage, within: string | null): void;
  /** A model call ended. */
  asked(call: AskedModel): void;
  /** The turn ended, and with it everything it started. */
  ended(ending: TurnEnding): void;
}
