import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { printResult } from './print-result.ts';
import { answerOf, requireServer } from './service-access.ts';

interface Tested {
  readonly tried: readonly { readonly sink: string; readonly error: string | null }[];
}

/** Sends a test alert to one sink or all sinks through the running server. Returns 1 if a delivery failed. */
export async function alertsVerb(context: VerbContext): Promise<ExitCode> {
  const [verb, sink, ...rest] = context.arguments;
  if (verb !== 'test' || rest.length > 0) {
    throw new UsageError('alerts takes test and optionally one sink: svc alerts test ops.');
  }
  const body = sink === undefined ? {} : { sink };
  const { call } = await requireServer(context);
  const { tried } = (await answerOf(call, 'POST', '/api/alerts/test', body)) as Tested;
  const lines = tried.map(({ sink: id, error }) => `${id}: ${error ?? 'delivered.'}`);
  printResult(context, { tried }, lines);
  return tried.every(({ error }) => error === null) ? 0 : 1;
}
