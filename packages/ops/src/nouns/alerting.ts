import { failure, success } from '@svc/core';
import type { AlertStanding, AlertTrouble } from '../alerting.ts';
import type { OpsDeps } from '../deps.ts';
import type { OperationError } from '../errors.ts';
import type { AlertWork } from '../work.ts';

const NOBODY: AlertStanding = { sinks: [], heartbeat: null };

/** Shows the state of alert sinks and sends test alerts. */
export function createAlertWork({ alerts, logger }: Pick<OpsDeps, 'alerts' | 'logger'>): AlertWork {
  const standing = async (): Promise<AlertStanding> => (await alerts?.standing()) ?? NOBODY;
  return {
    standing,
    trouble: async () => troubleOf(await standing()),
    async test(caller, sink) {
      const known = (await standing()).sinks.map(({ id }) => id);
      if (known.length === 0) return failure(NONE);
      if (sink !== undefined && !known.includes(sink)) return failure(unknownSink(sink, known));
      logger.info({ by: caller.actor.id ?? caller.actor.kind, sink }, 'sending test alerts');
      const tried = await Promise.all(
        (sink === undefined ? known : [sink]).map(async (id) => {
          const result = (await alerts?.test(id)) ?? null;
          return result === null ? [] : [{ sink: id, ...result }];
        }),
      );
      return success({ tried: tried.flat() });
    },
  };
}

function troubleOf({ sinks, heartbeat }: AlertStanding): AlertTrouble {
  const failing = sinks.flatMap(({ id, problem, lastTry }) => {
    const error = problem ?? lastTry?.error ?? null;
    return error === null ? [] : [{ sink: id, error }];
  });
  const beat = heartbeat?.lastTry?.error ?? null;
  return {
    failing: beat === null ? failing : [...failing, { sink: 'heartbeat', error: beat }],
    waiting: sinks.reduce((total, { waiting }) => total + waiting, 0),
  };
}

const NONE: OperationError = {
  code: 'conflict',
  message:
    'No alert sinks are configured. Add sinks under notify in svc.config.yaml and restart svc.',
};

function unknownSink(sink: string, known: readonly string[]): OperationError {
  return {
    code: 'not_found',
    message: `There is no sink ${sink.slice(0, 64)}. Available: ${known.join(', ')}.`,
  };
}
