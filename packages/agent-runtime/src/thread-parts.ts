import type { Capability, NewMessage, TurnOutcome } from '@svc/records';
import type { ToolPolicy } from './decision.ts';
import type { ModelTurn, TurnModel } from './model.ts';
import type { TurnSpec } from './runtime.ts';
import type { Tally } from './tally.ts';
import type { TaskTool } from './tools/task.ts';
import type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
import type { TurnProgress } from './turn-progress.ts';

/** State shared by the thread of a turn and those of its child turns. */
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
  /** Logs a tool that threw, which is a bug. */
  report(tool: string, error: unknown): void;
}

/** The run of one prompt: that of the turn or of a child turn. */
export interface Thread {
  readonly prompt: TurnSpec['prompt'];
  /** Earlier messages of the chat. */
  readonly history: TurnSpec['history'];
  readonly capability: Capability;
  readonly depth: number;
  /** The `Task` call that started it; null for the turn itself. */
  readonly within: string | null;
}

/** How a thread ended. */
export interface ThreadEnd {
  readonly outcome: TurnOutcome;
  readonly reason: string | null;
  /** The last text; null for none. */
  readonly words: string | null;
}

/** A tool result. For a child turn that did not succeed, also its outcome. */
export type CallResult = ToolResult & { readonly outcome?: TurnOutcome };

/** The progress of a thread. */
export interface Progress extends TurnProgress {
  readonly said: NewMessage[];
  readonly turn: ModelTurn;
  /** Model calls of this thread alone. */
  step: number;
  /** A warning of the model; null for none. */
  warning: string | null;
}
