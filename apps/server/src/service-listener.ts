import { randomBytes } from 'node:crypto';
import { type Logger, messageOf } from '@svc/core';
import type { TlsPair } from '@svc/http-listener';
import type { Home } from './home.ts';
import { type Listening, type ListenParts, listen } from './http.ts';
import { removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import type { HttpHandlers } from './readiness.ts';

/** The address of a service, before and after its instance exists. */
export interface ServiceListener {
  /** Secret by which programs of this home identify themselves. */
  readonly secret: string;
  /**
   * Handles requests with `handlers` from now on; starts listening if necessary, and records the address for programs of
   * this home.
   */
  handleWith(handlers: HttpHandlers): Promise<void>;
  /** Its address; empty before it listens. */
  readonly url: string;
  /** Whether connections are accepted when they should be; also true before it listens and after it was closed. */
  isLive(): boolean;
  /** Uses another certificate for new connections. */
  renew(pair: TlsPair): Promise<void>;
  /**
   * Removes the record of its address, and accepts no more connections; the inner promise resolves when all responses
   * were sent.
   */
  close(): Promise<{ readonly closed: Promise<void> }>;
}

/** Creates the listener, which starts to listen at the first `handleWith`. */
export function createServiceListener(
  { home, logger }: { readonly home: Home; readonly logger: Logger },
  parts: ListenParts,
): ServiceListener {
  const secret = randomBytes(24).toString('hex');
  let listening: Listening | null = null;
  let isClosed = false;
  const publishAddress = async (fingerprint: string | null): Promise<void> => {
    if (listening === null) return;
    const facts = { url: listening.url, secret, pid: process.pid, certificate: fingerprint };
    await writeInstanceFile(home.instanceFile, facts);
  };
  return {
    secret,
    async handleWith(handlers) {
      if (listening !== null) return listening.handleWith(handlers);
      listening = await listen(parts, handlers);
      await publishAddress(parts.tls?.fingerprint ?? null);
    },
    get url() {
      return listening?.url ?? '';
    },
    isLive: () => listening === null || isClosed || listening.isListening,
    async renew(pair) {
      listening?.renew(pair);
      await publishAddress(pair.fingerprint);
    },
    async close() {
      isClosed = true;
      if (listening === null) return { closed: Promise.resolve() };
      // A leftover file names a process that has ended, which its readers detect; turns must be able to end
      // nevertheless.
      await removeInstanceFile(home.instanceFile, secret).catch((error: unknown) => {
        logger.warn({ file: home.instanceFile, error: messageOf(error) }, 'cannot remove file');
      });
      return { closed: listening.close() };
    },
  };
}
