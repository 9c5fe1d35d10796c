import { createHash, timingSafeEqual } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { bearerOf, type Logger, messageOf } from '@svc/core';
import { type DatabaseCopy, StoreError } from '@svc/store';
import type { RequestHandler } from 'express';
import { sendJson } from './readiness.ts';

/** The address at which a running server provides its database to the commands of its home. */
export const DATABASE_PATH = '/backup/database';
/** Holds the name of the newest migration step. */
const SCHEMA_HEADER = 'Svc-Schema';

// Until the copy was sent completely, the log of the database grows.
const STALLED_MS = 60_000;

/** Dependencies of the route. */
export interface DatabaseRouteParts {
  /** Starts a copy of the database; null for a database server. */
  readonly copyDatabase: () => Promise<DatabaseCopy | null>;
  /** Secret for programs on this machine; other callers are refused. */
  readonly secret: string;
  readonly logger: Logger;
}

/** Sends a snapshot of the database. */
export function createDatabaseRoute(parts: DatabaseRouteParts): RequestHandler {
  const { copyDatabase, secret, logger } = parts;
  return async (request, response) => {
    if (!isSame(bearerOf(request.headers.authorization) ?? '', secret)) {
      const error = 'Only commands of this home, such as svc backup, may copy the database.';
      return sendJson(response, 403, { error, code: 'forbidden' });
    }
    const copy = await copyDatabase().catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      sendJson(response, 503, { error: error.message, code: error.code });
      return undefined;
    });
    if (copy === undefined) return;
    if (copy === null) {
      const error = 'The database is on a PostgreSQL server.';
      return sendJson(response, 409, { error, code: 'database_elsewhere' });
    }
    logger.info({ bytes: copy.bytes }, 'copying database for a backup');
    response.setTimeout(STALLED_MS, () => response.destroy());
    const { bytes, schema } = copy;
    response.writeHead(200, {
      'Content-Type': 'application/vnd.sqlite3',
      ...{ 'Content-Length': bytes, [SCHEMA_HEADER]: schema },
    });
    try {
      await pipeline(copy.chunks, response);
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'copy of the database aborted');
    } finally {
      await copy.close();
    }
  };
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
