import { setFlagsFromString } from 'node:v8';
import type { ExitCode, Terminal } from '@svc/cli';
import { createSystemClock, type Logger, messageOf } from '@svc/core';
import { drain } from '../draining.ts';
import { initHome, requireHome } from '../home.ts';
import { readInstanceFile } from '../instance-file.ts';
import { createLogger, printsMessages } from '../log.ts';
import { createLogTail, type LineTail } from '../log-tail.ts';
import { createReloader } from '../management.ts';
import { type Service, startService } from '../serve.ts';
import {
  createHealth,
  createNotify,
  createServiceManager,
  type Health,
  type ServiceManager,
} from '../service-manager.ts';
import { requireUnshared } from '../shared-home.ts';
import { armedTriggersIn, startupMessage } from '../startup-message.ts';
import type { VerbContext } from '../verb-context.ts';

/** Runs the service until the process is asked to stop. */
export async function serveVerb(context: VerbContext): Promise<ExitCode> {
  const { home, settings } = context;
  // Parsing thousands of files at start creates much garbage, and by default the heap may grow to four times its live size.
  setFlagsFromString('--heap-growing-percent=50');
  const logTail = createLogTail();
  const logger = await createLogger(settings.log, context.terminal, logTail);
  const isNewHome = await initIfRequested(context);
  await requireHome(home);
  for (const warning of context.warnings) {
    logger.warn({ file: home.config, ...warning }, 'unknown setting');
  }
  const { follow: onListener, isHealthy } = createHealth();
  const manager = managerOf(context, logger, isHealthy);
  try {
    return await serveUntilStopped(context, { logger, logTail, isNewHome, manager, onListener });
  } finally {
    manager.close();
  }
}

interface ServeParts {
  readonly logger: Logger;
  readonly logTail: LineTail;
  /** Whether the home and its sample project were just created. */
  readonly isNewHome: boolean;
  readonly manager: ServiceManager;
  readonly onListener: Health['follow'];
}

async function serveUntilStopped(context: VerbContext, parts: ServeParts): Promise<ExitCode> {
  const { home, settings, sourced, env, version, processZone, stopRequested } = context;
  const { logger, logTail, manager, onListener } = parts;
  const starting = startService({
    ...{ home, settings, sourced, logger, logTail, env, version, processZone, stopRequested },
    onListener,
    onWaiting: (reason) => manager.ready(`Waiting for the database: ${reason}`),
  });
  reloadOnRequest(context, logger, starting);
  const service = await starting;
  if (service === null) return 0;
  if (service.isUp()) {
    manager.ready(`Serving at ${service.url}`);
    await printStartupMessage(context, service, parts);
  }
  const isEvicted = await Promise.race([
    stopRequested.then(() => false),
    service.whenEvicted.then(() => true),
  ]);
  const { drainTimeoutMs } = settings.server;
  manager.stopping(isEvicted ? 0 : drainTimeoutMs);
  if (isEvicted) await service.interrupt();
  const end = await drain(service, drainTimeoutMs, context, messageOutput(context)).catch(
    (error: unknown) => {
      logger.error({ error: messageOf(error) }, 'shutdown failed');
      throw error;
    },
  );
  return end === 'drained' && !isEvicted ? 0 : 1;
}

async function printStartupMessage(
  context: VerbContext,
  { url, ops }: Service,
  { logger, isNewHome }: ServeParts,
): Promise<void> {
  const { home, settings, terminal } = context;
  if (context.options['init'] !== true) return;
  if (!printsMessages(settings.log, terminal)) {
    if (isNewHome)
      logger.info({ home: home.root, project: 'hello' }, 'home created with a sample project');
    return;
  }
  const armed = await armedTriggersIn(ops);
  for (const line of startupMessage({ url, home, isNewHome, armed, auth: settings.auth }))
    terminal.error(line);
}

/** Where to print messages for people; nowhere if a program parses the log. */
function messageOutput({ settings, terminal }: VerbContext): Pick<Terminal, 'error'> {
  return printsMessages(settings.log, terminal) ? terminal : { error() {} };
}

function managerOf(
  { manager = null }: VerbContext,
  logger: Logger,
  isHealthy: Health['isHealthy'],
): ServiceManager {
  if (manager === null) return { ready() {}, stopping() {}, close() {} };
  const clock = createSystemClock();
  const { watchdogMs } = manager;
  return createServiceManager({
    ...{ clock, logger, watchdogMs, isHealthy },
    notify: createNotify(manager),
  });
}

// Returns whether a sample project was created. Nothing is created in a home that another process uses; the start reports that.
async function initIfRequested({ home, settings, options }: VerbContext): Promise<boolean> {
  if ((await readInstanceFile(home.instanceFile)) !== null) return false;
  await requireUnshared(home, settings);
  return options['init'] === true && (await initHome(home)) === 'sample';
}

// A reload request during the start is handled after the start.
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
    // The caller of `startService` reports this error.
    () => null,
  );
  onReload(() => void reloader.then((reload) => reload?.()));
}
