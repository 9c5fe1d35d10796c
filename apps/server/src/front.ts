import { randomBytes } from 'node:crypto';
import { type Logger, messageOf } from '@svc/core';
import type { Home } from './home.ts';
import { type Listening, type ListenParts, listen } from './http.ts';
import { removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import type { TlsPair } from './listening/tls-pair.ts';
import type { Answers } from './unready.ts';

/** Where a service is reached, from before there is an instance until after. */
export interface Front {
  /** What programs of this home identify themselves with. */
  readonly secret: string;
  /** Has requests answered by these from now on: listens, where it does not yet, and tells programs of this home where. */
  answerWith(answers: Answers): Promise<void>;
  /** Where it listens; empty before it does. */
  readonly url: string;
  /** Whether connections are accepted when they should be: true also before it listens and once it was closed. */
  isLive(): boolean;
  /** Uses another certificate for connections from now on. */
  renew(pair: TlsPair): Promise<void>;
  /** Tells nobody any more where it is, and accepts nothing more; the promise within resolves when all answers are out. */
  close(): Promise<{ readonly closed: Promise<void> }>;
}

/** Makes what listens once there is something to answer with. */
export function createFront(
  { home, logger }: { readonly home: Home; readonly logger: Logger },
  parts: ListenParts,
): Front {
  const secret = randomBytes(24).toString('hex');
  let listening: Listening | null = null;
  let isClosed = false;
  const tell = async (fingerprint: string | null): Promise<void> => {
    if (listening === null) return;
    const facts = { url: listening.url, secret, pid: process.pid, certificate: fingerprint };
    await writeInstanceFile(home.instanceFile, facts);
  };
  return {
    secret,
    async answerWith(answers) {
      if (listening !== null) return listening.answerWith(answers);
      listening = await listen(parts, answers);
      await tell(parts.tls?.fingerprint ?? null);
    },
    get url() {
      return listening?.url ?? '';
    },
    isLive: () => listening === null || isClosed || listening.isListening,
    async renew(pair) {
      listening?.renew(pair);
      await tell(pair.fingerprint);
    },
    async close() {
      isClosed = true;
      if (listening === null) return { closed: Promise.resolve() };
      // A file that stays names a process that is gone, which its readers see; turns must come to their end all the same.
      await removeInstanceFile(home.instanceFile, secret).catch((error: unknown) => {
        logger.warn({ file: home.instanceFile, error: messageOf(error) }, 'cannot remove file');
      });
      return { closed: listening.close() };
    },
  };
}
