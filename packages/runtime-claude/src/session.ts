import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { TurnSpec } from '@svc/agent-runtime';
import { isId, newId } from '@svc/core';
import type { State } from './adapters/state.ts';

/** The session of the agent's program that a turn works in. */
export interface TurnSession {
  /** Its id, at which only one turn works at a time. */
  readonly id: string;
  /** Whether the agent knows what was said in the chat before. */
  readonly knowsBefore: boolean;
  readonly options: Pick<Options, 'resume' | 'forkSession' | 'sessionId'>;
  /** The session that its costs so far are those of; null for a fresh one. */
  readonly before: string | null;
  /** What is to be said where what the chat knew is gone; null where nothing is. */
  readonly notice: string | null;
}

const GONE =
  'The session that this chat had with the runtime is gone: the agent knows what was said before this turn, not what it saw and did.';

/** Which session the turn would work in, for the one that waits for it. */
export function sessionIdOf({ resume, sessionId }: TurnSpec): string {
  return resume === null || resume.fork ? sessionId : resume.ref;
}

/** Chooses the session: the one to go on with, a copy of it, or a fresh one. Ask while nobody else works in it. */
export async function chooseSession(state: State, spec: TurnSpec): Promise<TurnSession> {
  const { resume } = spec;
  const known = resume !== null && (await state.hasSession(resume.ref));
  if (known && !resume.fork) {
    const going = { resume: resume.ref };
    return { id: resume.ref, knowsBefore: true, options: going, before: resume.ref, notice: null };
  }
  const id = await freshId(state, spec.sessionId);
  if (!known) {
    const notice = resume === null ? null : GONE;
    return { id, knowsBefore: false, options: { sessionId: id }, before: null, notice };
  }
  const options = { resume: resume.ref, forkSession: true, sessionId: id };
  return { id, knowsBefore: true, options, before: resume.ref, notice: null };
}

// A turn that was cut short before anybody was told of its session leaves the id in use.
async function freshId(state: State, wanted: string): Promise<string> {
  return isId(wanted) && !(await state.hasSession(wanted)) ? wanted : newId();
}
