import type { Capability, NewMessage, TurnOutcome } from '@svc/records';
import type { ToolPolicy } from './decision.ts';
import type { ModelTurn, TurnModel } from './model.ts';
import type { TurnSpec } from './runtime.ts';
import type { Tally } from './tally.ts';
import type { TaskTool } from './tools/task.ts';
import type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
import type { TurnProgress } from './turn-progress.ts';

/** What the thread of a turn and those of its child turns share. */
export interface TurnParts {
  readonly spec: TurnSpec;
  readonly model: TurnModel;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: ToolPolicy;
  readonly taskTool: TaskTool;
  readonly context: ToolContext;
  readonly tally: Tally;
  /** Names of the agent programs on this machine. */
  detectRuntimes(): Promise<readonly string[]>;
  /** Takes note of a tool that threw, which none should. */
  report(tool: string, error: unknown): void;
}

/** One prompt at work: the turn's own, or that of a child turn. */
export interface Thread {
  readonly prompt: TurnSpec['prompt'];
  /** What was said in the chat before it. */
  readonly history: TurnSpec['history'];
  readonly capability: Capability;
  readonly depth: number;
  /** The call of `Task` that it is a child turn of; null for the turn's own. */
  readonly within: string | null;
}

/** How a thread ended. */
export interface ThreadEnd {
  readonly outcome: TurnOutcome;
  readonly reason: string | null;
  /** The last words; null where there were none. */
  readonly words: string | null;
}

/** A tool result, and where it came from a child turn that did not succeed, how that ended. */
export type CallResult = ToolResult & { readonly outcome?: TurnOutcome };

/** How far a thread has come. */
export interface Progress extends TurnProgress {
  readonly said: NewMessage[];
  readonly turn: ModelTurn;
  /** Model calls of this thread alone. */
  step: number;
  /** What a model warned of; null for nothing. */
  warning: string | null;
}
