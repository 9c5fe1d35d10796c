import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuthOptions } from '@svc/browser-auth';
import { createSystemClock, type Logger } from '@svc/core';
import type { Ops } from '@svc/ops';
import type { RequestHandler } from 'express';
import { shownAddress } from './database-settings.ts';
import type { Stoppable } from './draining.ts';
import { ServerError } from './errors.ts';
import { createFront, type Front } from './front.ts';
import type { Home } from './home.ts';
import { createAnswers, type HttpParts } from './http.ts';
import { createInForce } from './in-force.ts';
import { type Environment, type Instance, type InstanceParts, openInstance } from './instance.ts';
import { type Certificate, openCertificate } from './listening/certificate.ts';
import { createManagement, logBootLines, type Management, readManagement } from './management.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPage } from './page.ts';
import type { Settings } from './setting-table.ts';
import type { SourcedValue } from './settings.ts';
import { exposuresOf, readAuth } from './sign-in.ts';
import { findUnmoved } from './unmoved.ts';
import { createUnready, NOT_READY } from './unready.ts';
import { isAway } from './waiting.ts';

/** A service that runs until it is stopped. */
export interface Service extends Stoppable {
  readonly url: string;
  readonly ops: Ops;
  /** Under which it is known to others that share its database. */
  readonly nodeId: string;
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
  /** Keeps the newest lines of the log, for people to look at. Default: none are kept. */
  readonly logTail?: InstanceParts['logTail'];
  readonly env: Environment;
  readonly version: string;
  /** Resolves when the service is to end; one that is still starting is handed over as it is then. Default: never. */
  readonly stopRequested?: Promise<void>;
  readonly ownZone?: InstanceParts['ownZone'];
  /** Called once with what knows whether the service accepts connections. Default: nothing. */
  readonly onFront?: (front: Pick<Front, 'isLive'>) => void;
  /** Called with a sentence whenever the service listens and still waits for its database. Default: nothing. */
  readonly onWaiting?: (reason: string) => void;
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
  const metrics = createMetrics(createSystemClock());
  const page = createPage(PAGE);
  const front = createFront(parts, { settings, logger, metrics, tls: certificate?.pair ?? null });
  parts.onFront?.(front);
  const service = await serveBehind(
    front,
    parts,
    { management, auth, certificate, metrics, page },
    null,
  );
  if (service === null) await certificate?.close();
  if (!service?.isUp()) return service;
  for (const exposure of exposuresOf(settings, auth)) {
    logger.warn({ host: settings.server.host }, exposure);
  }
  certificate?.watch((pair) => front.renew(pair));
  logBootLines(logger, lines);
  const place = sharedPlace(parts, service.nodeId);
  logger.info({ url: service.url, home: home.root, version, ...place }, 'listening');
  void service.ops.runSelfTests();
  return service;
}

// What a server has in common with others, and as which of them it is known.
function sharedPlace({ home, settings }: ServiceParts, node: string): object {
  const { url } = settings.database;
  const projects = home.projectsAreNamed ? { projects: home.projects } : {};
  return url === null ? projects : { database: shownAddress(url), ...projects, node };
}

// The build lays it beside the program.
const PAGE = fileURLToPath(new URL('./page', import.meta.url));

interface Made {
  readonly management: Management;
  readonly auth: AuthOptions;
  readonly certificate: Certificate | null;
  readonly metrics: Metrics;
  readonly page: RequestHandler;
}

/**
 * Opens and starts an instance, anew where its database on a server goes away before it has started; `lost` says why it had
 * to be given up before.
 */
async function serveBehind(
  front: Front,
  parts: ServiceParts,
  made: Made,
  lost: string | null,
): Promise<Service | null> {
  const { settings, logger, version, decorateToolset } = parts;
  const { management, auth, certificate, metrics, page } = made;
  const instance = await openBehind(front, parts, made, lost);
  if (instance === null) return null;
  await warnUnmoved(parts);
  metrics.watch(instance.ops);
  metrics.watchAlerts(instance.waitingAlerts);
  let ready = false;
  const { ops, running, sessions, copyDatabase, id: instanceId } = instance;
  const { secret } = front;
  const answers = createAnswers({
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
  try {
    await instance.locate(front.url);
    ready = await hasStarted(instance, parts.stopRequested);
  } catch (error) {
    if (settings.database.url === null || !isAway(error)) throw error;
    await front.answerWith(createUnready(page, () => error.message));
    await instance.close(0);
    return serveBehind(front, parts, made, error.message);
  }
  const { url } = front;
  const { wasHeldForDead, nodeId } = instance;
  return {
    ...{ url, ops, isUp: () => ready, management, renewCertificate, running, stop, interrupt },
    wasHeldForDead,
    nodeId,
  };
}

// What goes wrong with the database just then is told by whoever uses it.
async function warnUnmoved({ home, settings, logger }: ServiceParts): Promise<void> {
  const unmoved = await findUnmoved(home, settings).catch(() => null);
  if (unmoved === null) return;
  logger.warn({ reason: unmoved.reason }, 'embedded database of the home was not migrated');
}

/** Opens the instance, and says why there is none while its database is waited for; null where it was to stop meanwhile. */
async function openBehind(
  front: Front,
  parts: ServiceParts,
  { page, metrics, management }: Made,
  lost: string | null,
): Promise<Instance | null> {
  const { sourced, logger, stopRequested } = parts;
  let reason = lost ?? NOT_READY;
  const waiting = {
    begin: () => front.answerWith(createUnready(page, () => reason)),
    failed(sentence: string) {
      reason = sentence;
      parts.onWaiting?.(sentence);
    },
    url: () => front.url,
    ...{ stopRequested, lost },
  };
  const { observer, alertTried: onAlertTried, spans: onSpans } = metrics;
  const inForce = createInForce(sourced ?? new Map(), management);
  try {
    return await openInstance({ ...parts, observer, onAlertTried, onSpans, inForce, waiting });
  } catch (error) {
    const isStopped = error instanceof ServerError && error.code === 'stopped';
    if (isStopped) logger.info({}, 'stopping');
    await (await front.close()).closed;
    if (!isStopped) throw error;
    logger.info({}, 'stopped');
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
  const { drainTimeoutMs } = settings.server;
  logger.info({ drainTimeoutMs, turns: instance.running() }, 'stopping');
  const { closed } = await front.close();
  await instance.close(drainTimeoutMs);
  await closed;
  logger.info({}, 'stopped');
}
