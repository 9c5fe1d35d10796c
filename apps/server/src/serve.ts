import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuthOptions } from '@svc/browser-auth';
import type { Environment } from '@svc/cli';
import { createSystemClock, type Logger } from '@svc/core';
import { type Certificate, openCertificate } from '@svc/http-listener';
import type { Ops } from '@svc/ops';
import { effectiveSettings, type Settings, type SourcedValue, shownAddress } from '@svc/settings';
import type { RequestHandler } from 'express';
import type { Stoppable } from './draining.ts';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';
import { createHttpHandlers, type HttpParts } from './http.ts';
import { type Instance, type InstanceParts, openInstance } from './instance.ts';
import { createManagement, logBootLines, type Management, readManagement } from './management.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { isUnavailable } from './open-when-available.ts';
import { createPage } from './page.ts';
import { createNotReadyHandlers, NOT_READY } from './readiness.ts';
import { createServiceListener, type ServiceListener } from './service-listener.ts';
import { exposuresOf, readAuth } from './sign-in.ts';
import { findUnmigratedData } from './unmigrated-data.ts';

/** A running service. */
export interface Service extends Stoppable {
  readonly url: string;
  readonly ops: Ops;
  /** Id of this process among the servers that share its database. */
  readonly nodeId: string;
  /** Whether it has started and is not stopping. */
  isUp(): boolean;
  /** The configuration of the management endpoint. */
  readonly management: Management;
  /** Resolves when other servers have evicted this one, which must then exit. */
  readonly whenEvicted: Promise<void>;
  /** Reloads the certificate if its files changed. */
  renewCertificate(): Promise<void>;
}

/** Dependencies of a service. */
export interface ServiceParts {
  readonly home: Home;
  readonly settings: Settings;
  /** The sources of the settings for display. Default: none are displayed. */
  readonly sourced?: ReadonlyMap<string, SourcedValue>;
  readonly logger: Logger;
  /** Provides the newest log lines for display. Default: none. */
  readonly logTail?: InstanceParts['logTail'];
  readonly env: Environment;
  readonly version: string;
  /** Resolves when the service must stop, also during its start. Default: never. */
  readonly stopRequested?: Promise<void>;
  readonly processZone?: InstanceParts['processZone'];
  /** Called once with a liveness check of the listener. */
  readonly onListener?: (listener: Pick<ServiceListener, 'isLive'>) => void;
  /** Called with a sentence each time the database is found unavailable during the start. */
  readonly onWaiting?: (reason: string) => void;
  readonly decorateStore?: InstanceParts['decorateStore'];
  readonly decorateToolset?: HttpParts['decorateToolset'];
}

/**
 * Starts the service: opens the home, listens, and arms the triggers of all projects. If its database server is unavailable, it
 * listens first and waits for it. Returns null if it was stopped before the instance existed.
 */
export async function startService(parts: ServiceParts): Promise<Service | null> {
  const { home, settings, logger, version } = parts;
  const { config, lines } = await readManagement(home, settings, parts.env);
  const management = createManagement(config);
  const auth = await readAuth(home, settings, parts.env);
  const certificate = await certificateOf(parts);
  const metrics = createMetrics(createSystemClock());
  const page = createPage(PAGE);
  const listener = createServiceListener(parts, {
    settings,
    logger,
    metrics,
    tls: certificate?.pair ?? null,
  });
  parts.onListener?.(listener);
  const service = await openAndStart(
    listener,
    parts,
    { management, auth, certificate, metrics, page },
    null,
  );
  if (service === null) await certificate?.close();
  if (!service?.isUp()) return service;
  for (const exposure of exposuresOf(settings, auth)) {
    logger.warn({ host: settings.server.host }, exposure);
  }
  certificate?.watch((pair) => listener.renew(pair));
  logBootLines(logger, lines);
  const place = sharedPlace(parts, service.nodeId);
  logger.info({ url: service.url, home: home.root, version, ...place }, 'listening');
  void service.ops.runSelfTests();
  return service;
}

// Log fields that identify this server among those with the same database or projects folder.
function sharedPlace({ home, settings }: ServiceParts, node: string): object {
  const { url } = settings.database;
  const projects = home.projectsAreNamed ? { projects: home.projects } : {};
  return url === null ? projects : { database: shownAddress(url), ...projects, node };
}

// The build copies the page next to the bundle.
const PAGE = fileURLToPath(new URL('./page', import.meta.url));

interface ServiceResources {
  readonly management: Management;
  readonly auth: AuthOptions;
  readonly certificate: Certificate | null;
  readonly metrics: Metrics;
  readonly page: RequestHandler;
}

/**
 * Opens and starts an instance. If the database server becomes unavailable before the start is complete, starts over.
 *
 * @param lost reason for starting over; null: first attempt
 */
async function openAndStart(
  listener: ServiceListener,
  parts: ServiceParts,
  resources: ServiceResources,
  lost: string | null,
): Promise<Service | null> {
  const { settings, logger, version, decorateToolset } = parts;
  const { management, auth, certificate, metrics, page } = resources;
  const instance = await openWhileListening(listener, parts, resources, lost);
  if (instance === null) return null;
  await warnAboutUnmigratedData(parts);
  metrics.watch(instance.ops);
  metrics.watchAlerts(instance.waitingAlerts);
  let ready = false;
  const { ops, running, sessions, copyDatabase, id: instanceId } = instance;
  const { secret } = listener;
  const handlers = createHttpHandlers({
    ...{ ops, settings, logger, metrics, version, secret, page, management, decorateToolset },
    ...{
      auth,
      sessions,
      copyDatabase,
      instanceId,
      isReady: () => ready,
      fault: () => instance.fault,
    },
  });
  // Arming can take a while, so requests are handled before, and get the progress.
  await listener.handleWith(handlers).catch(async (error: unknown) => {
    await instance.close(0);
    throw error;
  });
  const stop = async (): Promise<void> => {
    ready = false;
    await certificate?.close();
    await stopService(parts, listener, instance);
  };
  const interrupt = () => instance.close(0);
  const renewCertificate = async (): Promise<void> => certificate?.renew();
  try {
    await instance.locate(listener.url);
    ready = await hasStarted(instance, parts.stopRequested);
  } catch (error) {
    if (settings.database.url === null || !isUnavailable(error)) throw error;
    await listener.handleWith(createNotReadyHandlers(page, () => error.message));
    await instance.close(0);
    return openAndStart(listener, parts, resources, error.message);
  }
  const { url } = listener;
  const { whenEvicted, nodeId } = instance;
  return {
    ...{ url, ops, isUp: () => ready, management, renewCertificate, running, stop, interrupt },
    whenEvicted,
    nodeId,
  };
}

// A problem with the database is reported by its next use.
async function warnAboutUnmigratedData({ home, settings, logger }: ServiceParts): Promise<void> {
  const unmigrated = await findUnmigratedData(home, settings).catch(() => null);
  if (unmigrated === null) return;
  logger.warn({ reason: unmigrated.reason }, 'embedded database of the home was not migrated');
}

/**
 * Opens the instance. While its database is unavailable, requests get the reason. Returns null if the service was stopped in
 * the meantime.
 */
async function openWhileListening(
  listener: ServiceListener,
  parts: ServiceParts,
  { page, metrics, management }: ServiceResources,
  lost: string | null,
): Promise<Instance | null> {
  const { sourced, logger, stopRequested } = parts;
  let reason = lost ?? NOT_READY;
  const waiting = {
    begin: () => listener.handleWith(createNotReadyHandlers(page, () => reason)),
    failed(sentence: string) {
      reason = sentence;
      parts.onWaiting?.(sentence);
    },
    url: () => listener.url,
    ...{ stopRequested, lost },
  };
  const { observer, alertTried: onAlertTried, spans: onSpans } = metrics;
  // The settings are those of the start; clients can change.
  const shown = effectiveSettings(sourced ?? new Map());
  try {
    return await openInstance({
      ...parts,
      observer,
      onAlertTried,
      onSpans,
      effectiveSettings: () => ({ settings: shown, clients: clientsOf(management) }),
      waiting,
    });
  } catch (error) {
    const isStopped = error instanceof ServerError && error.code === 'stopped';
    if (isStopped) logger.info({}, 'stopping');
    await (await listener.close()).closed;
    if (!isStopped) throw error;
    logger.info({}, 'stopped');
    return null;
  }
}

function clientsOf({ current }: Management) {
  return (current?.clients ?? []).map(({ clientId, scope }) => ({ clientId, scope }));
}

/** False if the service was stopped before the start was complete. */
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
  listener: ServiceListener,
  instance: Instance,
): Promise<void> {
  const { drainTimeoutMs } = settings.server;
  logger.info({ drainTimeoutMs, turns: instance.running() }, 'stopping');
  const { closed } = await listener.close();
  await instance.close(drainTimeoutMs);
  await closed;
  logger.info({}, 'stopped');
}
