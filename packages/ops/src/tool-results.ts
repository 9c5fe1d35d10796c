import type { Message, Run } from '@svc/records';

/** A trigger that was fired. How its run ended, and what it used, where that was waited for. */
export interface RanTrigger {
  readonly ran: true;
  readonly project: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  /** Present if the trigger is paused: why. */
  readonly notice?: string;
  readonly outcome?: NonNullable<Run['outcome']>;
  /** Why it did not succeed, in one sentence; null where it did. */
  readonly reason?: Run['reason'];
  readonly tokensIn?: Run['tokensIn'];
  readonly tokensOut?: Run['tokensOut'];
  readonly cost?: Run['cost'];
}

/** The newest messages of a chat, their texts cut for a reader. */
export interface ReadChat {
  readonly project: string;
  readonly sessionId: string;
  /** How many messages there are. */
  readonly total: number;
  readonly returned: number;
  readonly messages: readonly Pick<Message, 'role' | 'text' | 'timestamp'>[];
}

/** A message that was taken and has started a turn, or waits for its own. */
export interface SentMessage {
  readonly sent: true;
  readonly project: string;
  readonly sessionId: string;
  readonly prompt: string;
}

/** Copies of a chat, in the order of their prompts. */
export interface Forks {
  readonly count: number;
  readonly source: string;
  readonly forks: readonly { readonly sessionId: string; readonly prompt: string }[];
}
