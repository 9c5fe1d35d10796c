import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { post } from './server-call.ts';

interface Tested {
  readonly tried: readonly { readonly sink: string; readonly error: string | null }[];
}

/** Sends an alert of the type test to one sink or to all, through the running server; 1 unless all of them took it. */
export async function alertsVerb(context: VerbContext): Promise<ExitCode> {
  const [verb, sink, ...rest] = context.arguments;
  if (verb !== 'test' || rest.length > 0) {
    throw new UsageError('alerts needs test, and may name one sink: svc alerts test ops.');
  }
  const wish = sink === undefined ? {} : { sink };
  const { tried } = (await post(context, '/api/alerts/test', wish)) as Tested;
  for (const { sink: id, error } of tried) {
    context.terminal.out(error === null ? `${id}: it was delivered.` : `${id}: ${error}`);
  }
  return tried.every(({ error }) => error === null) ? 0 : 1;
}
