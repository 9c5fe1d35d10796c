import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { TurnSpec } from '@svc/agent-runtime';
import { isId, newId } from '@svc/core';
import type { RuntimeState } from './adapters/runtime-state.ts';

/** The session of the agent program that a turn uses. */
export interface TurnSession {
  /** The session id. Only one turn at a time uses it. */
  readonly id: string;
  /** Whether the agent knows the earlier messages of the chat. */
  readonly knowsHistory: boolean;
  readonly options: Pick<Options, 'resume' | 'forkSession' | 'sessionId'>;
  /** The session whose cost the cost of this one includes; null for a new session. */
  readonly costBase: string | null;
  /** A notice for the chat that its session was lost; null for none. */
  readonly notice: string | null;
}

const LOST_SESSION =
  'The session of this chat no longer exists. The agent knows the earlier messages, but not its earlier tool calls.';

/** The id of the session that a turn is going to use, to serialize turns by it. */
export function sessionIdOf({ resume, sessionId }: TurnSpec): string {
  return resume === null || resume.fork ? sessionId : resume.ref;
}

/**
 * Chooses the session: an existing one, a copy of it, or a new one. Call it while no other turn uses the session.
 */
export async function chooseSession(state: RuntimeState, spec: TurnSpec): Promise<TurnSession> {
  const { resume } = spec;
  const canResume = resume !== null && (await state.hasSession(resume.ref));
  if (canResume && !resume.fork) {
    const options = { resume: resume.ref };
    return { id: resume.ref, knowsHistory: true, options, costBase: resume.ref, notice: null };
  }
  const id = await newSessionId(state, spec.sessionId);
  if (!canResume) {
    const notice = resume === null ? null : LOST_SESSION;
    return { id, knowsHistory: false, options: { sessionId: id }, costBase: null, notice };
  }
  const options = { resume: resume.ref, forkSession: true, sessionId: id };
  return { id, knowsHistory: true, options, costBase: resume.ref, notice: null };
}

// The id is in use if an earlier turn was interrupted before it reported its session.
async function newSessionId(state: RuntimeState, preferred: string): Promise<string> {
  return isId(preferred) && !(await state.hasSession(preferred)) ? preferred : newId();
}
