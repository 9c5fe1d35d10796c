import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createSystemClock, type Logger, messageOf } from '@svc/core';
import type { Ops } from '@svc/ops';
import type { Stoppable } from './draining.ts';
import type { Home } from './home.ts';
import { type HttpParts, type Listening, listen } from './http.ts';
import { createInForce } from './in-force.ts';
import { type Environment, type Instance, type InstanceParts, openInstance } from './instance.ts';
import { removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import { type Certificate, openCertificate } from './listening/certificate.ts';
import { createManagement, logBootLines, type Management, readManagement } from './management.ts';
import { createMetrics } from './metrics.ts';
import type { Settings } from './setting-table.ts';
import type { SourcedValue } from './settings.ts';
import { exposuresOf, readAuth } from './sign-in.ts';

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

/** Starts the service: opens the home, listens, and arms what the projects declare. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { home, settings, logger, version } = parts;
  const { config, lines } = await readManagement(home, settings, parts.env);
  const management = createManagement(config);
  const auth = await readAuth(home, settings, parts.env);
  const certificate = await certificateOf(parts);
  const metrics = createMetrics();
  const inForce = createInForce(parts.sourced ?? new Map(), management);
  const { observer, alertTried: onAlertTried } = metrics;
  const instance = await openInstance({ ...parts, observer, inForce, onAlertTried });
  metrics.watch(instance.ops);
  metrics.watchAlerts(instance.waitingAlerts);
  const secret = randomBytes(24).toString('hex');
  let ready = false;
  const { decorateToolset } = parts;
  const http = {
    ...{ ops: instance.ops, settings, logger, metrics, version, secret },
    ...{
      auth,
      sessions: instance.sessions,
      instanceId: instance.id,
      management,
      decorateToolset,
      tls: certificate?.pair ?? null,
    },
  };
  const state = { isReady: () => ready, fault: () => instance.fault };
  const listening = await listen({ ...http, ...state }).catch(async (error: unknown) => {
    await instance.close(0);
    throw error;
  });
  const tell = (fingerprint: string | null): Promise<void> => {
    const { url } = listening;
    const facts = { url, secret, pid: process.pid, certificate: fingerprint };
    return writeInstanceFile(home.instanceFile, facts);
  };
  // Arming may take a while: whoever asks in the meantime is told how far it has come.
  await tell(certificate?.pair.fingerprint ?? null);
  const stop = async (): Promise<void> => {
    ready = false;
    await certificate?.close();
    await stopService(parts, { instance, listening, secret });
  };
  const { ops, running } = instance;
  const interrupt = () => instance.close(0);
  const renewCertificate = async (): Promise<void> => certificate?.renew();
  const { url } = listening;
  const isUp = () => ready;
  const { wasHeldForDead } = instance;
  const service = {
    ...{ url, ops, isUp, management, renewCertificate, running, stop, interrupt },
    wasHeldForDead,
  };
  ready = await hasStarted(instance, parts.stopRequested);
  if (!ready) return service;
  for (const exposure of exposuresOf(settings, auth)) {
    logger.warn({ host: settings.server.host }, exposure);
  }
  certificate?.watch(async (pair) => {
    listening.renew(pair);
    await tell(pair.fingerprint);
  });
  logBootLines(logger, lines);
  logger.info({ url, home: home.root, version }, 'listening');
  void ops.tryFences();
  return service;
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
  { home, settings, logger }: ServiceParts,
  started: { readonly instance: Instance; readonly listening: Listening; readonly secret: string },
): Promise<void> {
  const { instance, listening, secret } = started;
  logger.info({ drainTimeoutMs: settings.server.drainTimeoutMs }, 'stopping');
  // A file that stays names a process that is gone, which its readers see; turns must come to their end all the same.
  await removeInstanceFile(home.instanceFile, secret).catch((error: unknown) => {
    logger.warn({ file: home.instanceFile, error: messageOf(error) }, 'a file was not removed');
  });
  const closed = listening.close();
  await instance.close(settings.server.drainTimeoutMs);
  await closed;
  logger.info({}, 'stopped');
}
