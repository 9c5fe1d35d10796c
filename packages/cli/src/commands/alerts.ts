import type { Command } from '../command.ts';
import { printResult } from '../print-result.ts';
import { answerOf, requireServer } from '../service.ts';

/** Sends a test alert to one sink or all sinks through the running server. */
export const alerts: Command = {
  name: 'alerts',
  group: 'Set up',
  summary: 'send a test alert',
  arguments: { test: ['test'], '[SINK]': null },
  takes: 'test and optionally one sink: svc alerts test ops.',
  isRemote: true,
  description: `
Send an alert of type test to one sink of notify.sinks, or to all of them, through the running server, and report the result.
Exit code 1 unless every sink accepted it.`,
  json: 'the response of POST /api/alerts/test.',
  async run(context) {
    const [, sink] = context.arguments;
    const { api } = await requireServer(context);
    const body = sink === undefined ? {} : { sink };
    const { tried } = await answerOf(api.POST('/api/alerts/test', { body }), 'tried');
    const lines = tried.map(({ sink: id, error }) => `${id}: ${error ?? 'delivered.'}`);
    printResult(context, { tried }, lines);
    return tried.every(({ error }) => error === null) ? 0 : 1;
  },
};
