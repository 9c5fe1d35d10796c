import { silentLogger } from '@svc/core';
import { type RowName, USER } from '@svc/ops';
import { openInstance } from '../instance.ts';
import type { VerbContext } from './context.ts';
import { askServer, refused, type ServerRequest, serverOf } from './server-call.ts';

/** One operation, as it is asked for over REST and inside. */
export interface Asked extends ServerRequest {
  readonly row: RowName;
  readonly input: object;
}

/**
 * Asks the running server, or, where none runs, opens the home itself.
 *
 * @throws CommandError with the sentence of a refusal
 */
export async function ask<T>(context: VerbContext, asked: Asked): Promise<T> {
  const server = await serverOf(context);
  const answer =
    server === null ? await askInside(context, asked) : await askServer(context, server, asked);
  return answer as T;
}

async function askInside(context: VerbContext, { row, input }: Asked): Promise<unknown> {
  const { home, settings, env, version } = context;
  const instance = await openInstance({ home, settings, env, version, logger: silentLogger });
  try {
    const { signal } = new AbortController();
    const answer = await instance.ops.operations.call({ ...USER, face: 'cli' }, row, input, {
      signal,
    });
    if (!answer.ok) throw refused(answer.error.message, answer.error.issues);
    return answer.value;
  } finally {
    await instance.close(0);
  }
}
