import { setFlagsFromString } from 'node:v8';
import { type Logger, messageOf } from '@svc/core';
import { drain } from '../draining.ts';
import { armedIn, greeting } from '../greeting.ts';
import { initHome, requireHome } from '../home.ts';
import { readInstanceFile } from '../instance-file.ts';
import { createLogger } from '../log.ts';
import { createLogTail } from '../log-tail.ts';
import { createReloader } from '../management.ts';
import { type Service, startService } from '../serve.ts';
import { requireUnshared } from '../shared-home.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** Runs the service until the process is asked to stop. */
export async function serveVerb(context: VerbContext): Promise<ExitCode> {
  const { home, settings, sourced, env, version, ownZone, stopRequested } = context;
  if (context.arguments.length > 0) throw new UsageError('serve takes options only.');
  // Reading thousands of files leaves much behind. Left to itself, Node lets four times as much lie as is in use.
  setFlagsFromString('--heap-growing-percent=50');
  const logTail = createLogTail();
  const logger = await createLogger(settings.log, context.terminal, logTail);
  const fresh = await prepared(context);
  await requireHome(home);
  for (const warning of context.warnings) {
    logger.warn({ file: home.config, ...warning }, 'a setting is not known');
  }
  const starting = startService({
    ...{ home, settings, sourced, logger, logTail, env, version, ownZone, stopRequested },
  });
  reloadOnRequest(context, logger, starting);
  const service = await starting;
  if (service === null) return 0;
  if (context.options['init'] === true && service.isUp()) {
    const { url } = service;
    const armed = await armedIn(service.ops);
    for (const line of greeting({ url, home, fresh, armed, auth: settings.auth }))
      context.terminal.error(line);
  }
  const isDead = await Promise.race([
    stopRequested.then(() => false),
    service.wasHeldForDead.then(() => true),
  ]);
  if (isDead) await service.interrupt();
  const { drainTimeoutMs } = settings.server;
  const end = await drain(service, drainTimeoutMs, context, context.terminal).catch(
    (error: unknown) => {
      logger.error({ error: messageOf(error) }, 'stopping failed');
      throw error;
    },
  );
  return end === 'drained' && !isDead ? 0 : 1;
}

// True where it got a sample. Of a home that another process uses nothing is made, and that is told further on.
async function prepared({ home, settings, options }: VerbContext): Promise<boolean> {
  if ((await readInstanceFile(home.instanceFile)) !== null) return false;
  await requireUnshared(home, settings);
  return options['init'] === true && (await initHome(home)) === 'sample';
}

// Asked for while the service starts, it is done as soon as that has started.
function reloadOnRequest(
  { home, settings: started, env, readSettings, onReload }: VerbContext,
  logger: Logger,
  starting: Promise<Service | null>,
): void {
  const reloader = starting.then(
    (service) => {
      if (service === null) return null;
      const { management, renewCertificate } = service;
      const { configure: apply } = management;
      const reload = createReloader({ home, started, env, logger, readSettings, apply });
      return async () => {
        await renewCertificate();
        await reload();
      };
    },
    // That starting failed is told by whoever started it.
    () => null,
  );
  onReload(() => void reloader.then((reload) => reload?.()));
}
