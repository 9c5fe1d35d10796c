import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { type Logger, messageOf } from '@svc/core';
import type { ParsedFiles } from '@svc/projects';
import type { Store } from '@svc/store';
import type { ProjectFile } from '@svc/trigger-schema';

// Larger files are parsed in a separate thread, and serializing their content here would block the event loop.
const MAX_LENGTH = 64 * 1024;

/** Caches parsed project files in the database; an entry that does not match its checksum is ignored. */
export function createParsedFiles(
  { store, logger }: { readonly store: Pick<Store, 'memory'>; readonly logger: Logger },
  maker: string,
): ParsedFiles {
  return {
    async load(slug, text) {
      if (text.length > MAX_LENGTH) return null;
      try {
        const body = await store.memory.file(maker, slug, digest(text));
        const whole = body === null ? null : withoutChecksum(body);
        return whole === null ? null : (deserialize(whole) as ProjectFile);
      } catch (error) {
        logger.debug({ project: slug, error: messageOf(error) }, 'ignoring unusable cached file');
        return null;
      }
    },
    async save(slug, text, file) {
      if (text.length > MAX_LENGTH) return;
      try {
        await store.memory.keepFile(maker, slug, digest(text), withChecksum(serialize(file)));
      } catch (error) {
        logger.debug({ project: slug, error: messageOf(error) }, 'cannot cache file');
      }
    },
  };
}

const CHECKSUM_BYTES = 32;

function withChecksum(body: Buffer): Uint8Array {
  return Buffer.concat([checksumOf(body), body]);
}

function withoutChecksum(stored: Uint8Array): Buffer | null {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const body = bytes.subarray(CHECKSUM_BYTES);
  return bytes.subarray(0, CHECKSUM_BYTES).equals(checksumOf(body)) ? body : null;
}

function checksumOf(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
