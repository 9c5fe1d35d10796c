import { stat } from 'node:fs/promises';
import { type Clock, isoTime, type Logger, messageOf, type TimerHandle } from '@svc/core';
import { ServerError } from '../errors.ts';
import { readTlsPair, type TlsFiles, type TlsPair } from './tls-pair.ts';

/** The certificate of the server, which may be renewed while it runs. */
export interface Certificate {
  readonly pair: TlsPair;
  /** Looks at the files every few seconds from now on; has every new pair taken, one after the other. */
  watch(take: (pair: TlsPair) => Promise<void>): void;
  /** Looks at the files now, whether they have changed or not. */
  renew(): Promise<void>;
  /** Ends the watch; settles when nothing is being taken any more. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Reads the certificate. While its files hold no sound pair, because only one of them is written so far, the old pair
 * stays, and the log says why.
 *
 * @throws ServerError `tls_unusable`, with a sentence that names the setting
 */
export async function openCertificate(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  files: TlsFiles,
): Promise<Certificate> {
  let seen = await stateOf(files);
  const first = await readTlsPair(files);
  if (!first.ok) throw new ServerError('tls_unusable', first.error);
  let pair = first.value;
  let take = async (_: TlsPair): Promise<void> => {};
  let timer: TimerHandle | null = null;
  let closed = false;
  let last = Promise.resolve();
  let fault: string | null = null;
  warnOfEnd();

  const read = async (): Promise<void> => {
    const next = await readTlsPair(files);
    if (!next.ok) {
      logger.warn({ error: next.error }, 'cannot reload certificate, keeping the current one');
    } else if (next.value.cert !== pair.cert || next.value.key !== pair.key) {
      await take(next.value);
      pair = next.value;
      const { fingerprint, endsAt } = pair;
      logger.info({ fingerprint, endsAt: isoTime(endsAt) }, 'certificate reloaded');
      warnOfEnd();
    }
  };
  const look = (always: boolean): Promise<void> => {
    const once = async (): Promise<void> => {
      if (closed) return;
      const now = await stateOf(files);
      if (!always && now === seen) return;
      // Noted before the files are read: what is written in between shows as a change at the next look.
      seen = now;
      await read();
      fault = null;
    };
    last = last.then(once).catch((thrown: unknown) => {
      const error = messageOf(thrown);
      if (error !== fault) logger.error({ error }, 'cannot load new certificate yet, retrying');
      fault = error;
      // So that the next look tries again.
      seen = '';
    });
    return last;
  };
  const again = (): void => {
    timer = clock.setTimeout(() => {
      void look(false).then(() => {
        if (!closed) again();
      });
    }, LOOK_EVERY_MS);
  };
  return {
    get pair() {
      return pair;
    },
    watch(taker) {
      take = taker;
      again();
    },
    renew: () => look(true),
    close() {
      closed = true;
      if (timer !== null) clock.clearTimeout(timer);
      return last;
    },
  };

  function warnOfEnd(): void {
    if (pair.endsAt > clock.now()) return;
    logger.warn({ endsAt: isoTime(pair.endsAt) }, 'certificate expired');
  }
}

// Follows links, which is how tools that renew certificates swap them.
async function stateOf({ certFile, keyFile }: TlsFiles): Promise<string> {
  const states = [certFile, keyFile].map(async (file) => {
    const found = await stat(file, { bigint: true }).catch(() => null);
    return found === null ? '' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs];
  });
  return (await Promise.all(states)).join('|');
}
