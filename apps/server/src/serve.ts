import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSystemClock, type Logger } from '@svc/core';
import type { Ops } from '@svc/ops';
import type { RequestHandler } from 'express';
import type { Stoppable } from './draining.ts';
import { ServerError } from './errors.ts';
import { createFront, type Front } from './front.ts';
import type { Home } from './home.ts';
import { createAnswers, type HttpParts } from './http.ts';
import { createInForce } from './in-force.ts';
import { type Environment, type Instance, type InstanceParts, openInstance } from './instance.ts';
import { type Certificate, openCertificate } from './listening/certificate.ts';
import { createManagement, logBootLines, type Management, readManagement } from './management.ts';
import { createMetrics } from './metrics.ts';
import { createPage } from './page.ts';
import type { Settings } from './setting-table.ts';
import type { SourcedValue } from './settings.ts';
import { exposuresOf, readAuth } from './sign-in.ts';
import { createUnready, NOT_READY } from './unready.ts';

/** A service that runs until it is stopped. */
export interface Service extends Stoppable {
  readonly url: string;
  readonly ops: Ops;
  /** Whether it has started, and does not stop yet. */
  isUp(): boolean;
  /** The configuration of the management endpoint. */
  readonly management: Management;
  /** Resolves when others that share its database hold it for dead: it must end. */
  readonly wasHeldForDead: Promise<void>;
  /** Looks whether there is a new certificate. */
  renewCertificate(): Promise<void>;
}

/** What a service is started with. */
export interface ServiceParts {
  readonly home: Home;
  readonly settings: Settings;
  /** The same with where each comes from, for people to look at. Default: nothing is told. */
  readonly sourced?: ReadonlyMap<string, SourcedValue>;
  readonly logger: Logger;
  readonly env: Environment;
  readonly version: string;
  /** Resolves when the service is to end; one that is still starting is handed over as it is then. Default: never. */
  readonly stopRequested?: Promise<void>;
  readonly redetectZone?: InstanceParts['redetectZone'];
  readonly decorateStore?: InstanceParts['decorateStore'];
  readonly decorateToolset?: HttpParts['decorateToolset'];
}

/**
 * Starts the service: opens the home, listens, and arms what the projects declare. Where the database is on a server that does
 * not answer it listens before, and waits. Null where it was to stop meanwhile.
 */
export async function startService(parts: ServiceParts): Promise<Service | null> {
  const { home, settings, logger, version } = parts;
  const { config, lines } = await readManagement(home, settings, parts.env);
  const management = createManagement(config);
  const auth = await readAuth(home, settings, parts.env);
  const certificate = await certificateOf(parts);
  const metrics = createMetrics();
  const page = createPage(PAGE);
  const front = createFront(parts, { settings, logger, metrics, tls: certificate?.pair ?? null });
  const { secret } = front;
  const stopped = parts.stopRequested;
  const instance = await openBehind(front, page, {
    ...{ ...parts, observer: metrics.observer, onAlertTried: metrics.alertTried },
    inForce: createInForce(parts.sourced ?? new Map(), management),
  });
  if (instance === null) {
    await certificate?.close();
    return null;
  }
  metrics.watch(instance.ops);
  metrics.watchAlerts(instance.waitingAlerts);
  let ready = false;
  const { decorateToolset } = parts;
  const { ops, running, sessions, id: instanceId } = instance;
  const answers = createAnswers({
    ...{ ops, settings, logger, metrics, version, secret, page, management, decorateToolset },
    ...{ auth, sessions, instanceId, isReady: () => ready, fault: () => instance.fault },
  });
  // Arming may take a while: whoever asks in the meantime is told how far it has come.
  await front.answerWith(answers).catch(async (error: unknown) => {
    await instance.close(0);
    throw error;
  });
  const stop = async (): Promise<void> => {
    ready = false;
    await certificate?.close();
    await stopService(parts, front, instance);
  };
  const interrupt = () => instance.close(0);
  const renewCertificate = async (): Promise<void> => certificate?.renew();
  const url = front.url();
  const isUp = () => ready;
  const { wasHeldForDead } = instance;
  const service = {
    ...{ url, ops, isUp, management, renewCertificate, running, stop, interrupt },
    wasHeldForDead,
  };
  ready = await hasStarted(instance, stopped);
  if (!ready) return service;
  for (const exposure of exposuresOf(settings, auth)) {
    logger.warn({ host: settings.server.host }, exposure);
  }
  certificate?.watch((pair) => front.renew(pair));
  logBootLines(logger, lines);
  logger.info({ url, home: home.root, version }, 'listening');
  void ops.tryFences();
  return service;
}

// The build lays it beside the program.
const PAGE = fileURLToPath(new URL('./page', import.meta.url));

/** Opens the instance, and says why there is none while its database is waited for; null where it was to stop meanwhile. */
async function openBehind(
  front: Front,
  page: RequestHandler,
  parts: InstanceParts & Pick<ServiceParts, 'stopRequested'>,
): Promise<Instance | null> {
  let reason = NOT_READY;
  const waiting = {
    begin: () => front.answerWith(createUnready(page, () => reason)),
    failed(sentence: string) {
      reason = sentence;
    },
    stopRequested: parts.stopRequested,
  };
  try {
    return await openInstance({ ...parts, waiting });
  } catch (error) {
    const isStopped = error instanceof ServerError && error.code === 'stopped';
    if (isStopped) parts.logger.info({}, 'stopping');
    await (await front.close()).closed;
    if (!isStopped) throw error;
    parts.logger.info({}, 'stopped');
    return null;
  }
}

/** False where somebody wants it to stop before it has started. */
async function hasStarted(instance: Instance, stopRequested?: Promise<void>): Promise<boolean> {
  const started = instance.start({ schedules: true }).then(() => true);
  const isUnwanted = stopRequested?.then(() => false);
  return Promise.race(isUnwanted === undefined ? [started] : [started, isUnwanted]);
}

async function certificateOf({
  home,
  settings,
  logger,
}: ServiceParts): Promise<Certificate | null> {
  const { tls } = settings.server;
  if (tls === null) return null;
  const files = {
    certFile: resolve(home.root, tls.certFile),
    keyFile: resolve(home.root, tls.keyFile),
  };
  return openCertificate({ clock: createSystemClock(), logger }, files);
}

async function stopService(
  { settings, logger }: ServiceParts,
  front: Front,
  instance: Instance,
): Promise<void> {
  logger.info({ drainTimeoutMs: settings.server.drainTimeoutMs }, 'stopping');
  const { closed } = await front.close();
  await instance.close(settings.server.drainTimeoutMs);
  await closed;
  logger.info({}, 'stopped');
}
