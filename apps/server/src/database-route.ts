import { createHash, timingSafeEqual } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { bearerOf, type Logger, messageOf } from '@svc/core';
import { type DatabaseCopy, StoreError } from '@svc/store';
import type { RequestHandler } from 'express';
import { sendJson } from './unready.ts';

/** Where a running server gives out its database, to the commands of its own home. */
export const DATABASE_PATH = '/backup/database';
/** Names the newest step of the schema. */
const SCHEMA_HEADER = 'Svc-Schema';

// Until all is sent the log of the database grows.
const STALLED_MS = 60_000;

/** What gives a database out. */
export interface DatabaseRouteParts {
  /** Begins to copy the database; null where it is on a server. */
  readonly copyDatabase: () => Promise<DatabaseCopy | null>;
  /** Secret of programs on this machine: nobody else gets anything. */
  readonly secret: string;
  readonly logger: Logger;
}

/** Answers with the database as it is at this moment. */
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
