import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { TurnSpec } from '@svc/agent-runtime';
import { isId, newId } from '@svc/core';
import type { State } from './adapters/state.ts';

/** The session of the agent's program that a turn works in. */
export interface TurnSession {
  /** Its id, at which only one turn works at a time. */
  readonly id: string;
  readonly options: Pick<Options, 'resume' | 'forkSession' | 'sessionId'>;
  /** The session that its costs so far are those of; null for a fresh one. */
  readonly before: string | null;
  /** What is to be said where what the chat knew is gone; null where nothing is. */
  readonly notice: string | null;
}

const GONE =
  'The session that this chat had with the runtime is gone: the agent does not know what was said before this turn.';

/** Which session the turn would work in, for the one that waits for it. */
export function sessionIdOf({ resume, sessionId }: TurnSpec): string {
  return resume === null || resume.fork ? sessionId : resume.ref;
}

/** Chooses the session: the one to go on with, a copy of it, or a fresh one. Ask while nobody else works in it. */
export async function chooseSession(state: State, spec: TurnSpec): Promise<TurnSession> {
  const { resume } = spec;
  const known = resume !== null && (await state.hasSession(resume.ref));
  if (known && !resume.fork) {
    return { id: resume.ref, options: { resume: resume.ref }, before: resume.ref, notice: null };
  }
  const id = await freshId(state, spec.sessionId);
  if (!known) {
    return { id, options: { sessionId: id }, before: null, notice: resume === null ? null : GONE };
  }
  const options = { resume: resume.ref, forkSession: true, sessionId: id };
  return { id, options, before: resume.ref, notice: null };
}

// A turn that was cut short before anybody was told of its session leaves the id in use.
async function freshId(state: State, wanted: string): Promise<string> {
  return isId(wanted) && !(await state.hasSession(wanted)) ? wanted : newId();
}
