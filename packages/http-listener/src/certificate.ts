import { stat } from 'node:fs/promises';
import { type Clock, isoTime, type Logger, messageOf, type TimerHandle } from '@svc/core';
import { ListenerError } from './errors.ts';
import { readTlsPair, type TlsFiles, type TlsPair } from './tls-pair.ts';

/** The TLS certificate of the server, reloaded when its files change. */
export interface Certificate {
  readonly pair: TlsPair;
  /** Starts to check the files every second, and calls `take` with each new pair, one at a time. */
  watch(take: (pair: TlsPair) => Promise<void>): void;
  /** Reloads the files now, even if they are unchanged. */
  renew(): Promise<void>;
  /** Ends the watch; resolves when no call of `take` is running. */
  close(): Promise<void>;
}

const CHECK_INTERVAL_MS = 1_000;

/**
 * Reads the certificate. While its files are inconsistent, for example because only one of them was replaced, the current pair
 * stays in use and a warning is logged.
 *
 * @throws ListenerError `tls_unusable` with a sentence that names the setting
 */
export async function openCertificate(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  files: TlsFiles,
): Promise<Certificate> {
  let lastState = await stateOf(files);
  const first = await readTlsPair(files);
  if (!first.ok) throw new ListenerError('tls_unusable', first.error);
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
  const check = (always: boolean): Promise<void> => {
    const once = async (): Promise<void> => {
      if (closed) return;
      const now = await stateOf(files);
      if (!always && now === lastState) return;
      // Set before the files are read, so that a write during the read counts as a change at the next check.
      lastState = now;
      await read();
      fault = null;
    };
    last = last.then(once).catch((thrown: unknown) => {
      const error = messageOf(thrown);
      if (error !== fault) logger.error({ error }, 'cannot load new certificate yet, retrying');
      fault = error;
      // The next check retries.
      lastState = '';
    });
    return last;
  };
  const again = (): void => {
    timer = clock.setTimeout(() => {
      void check(false).then(() => {
        if (!closed) again();
      });
    }, CHECK_INTERVAL_MS);
  };
  return {
    get pair() {
      return pair;
    },
    watch(taker) {
      take = taker;
      again();
    },
    renew: () => check(true),
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

// `stat` follows links, which tools for certificate renewal replace.
async function stateOf({ certFile, keyFile }: TlsFiles): Promise<string> {
  const states = [certFile, keyFile].map(async (file) => {
    const found = await stat(file, { bigint: true }).catch(() => null);
    return found === null ? '' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs];
  });
  return (await Promise.all(states)).join('|');
}
