import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { type Logger, messageOf } from '@svc/core';
import type { ParsedFiles } from '@svc/projects';
import type { Store } from '@svc/store';
import type { ProjectFile } from '@svc/trigger-schema';

// Larger files are parsed in a separate thread, and serializing their content here would block the event loop.
const LONGEST = 64 * 1024;

/** Caches parsed project files in the database; an entry that does not match its checksum is ignored. */
export function createParsedFiles(
  { store, logger }: { readonly store: Pick<Store, 'memory'>; readonly logger: Logger },
  maker: string,
): ParsedFiles {
  return {
    async load(slug, text) {
      if (text.length > LONGEST) return null;
      try {
        const body = await store.memory.file(maker, slug, digest(text));
        const whole = body === null ? null : unsealed(body);
        return whole === null ? null : (deserialize(whole) as ProjectFile);
      } catch (error) {
        logger.debug({ project: slug, error: messageOf(error) }, 'ignoring unusable cached file');
        return null;
      }
    },
    async save(slug, text, file) {
      if (text.length > LONGEST) return;
      try {
        await store.memory.keepFile(maker, slug, digest(text), sealed(serialize(file)));
      } catch (error) {
        logger.debug({ project: slug, error: messageOf(error) }, 'cannot cache file');
      }
    },
  };
}

const SEAL_BYTES = 32;

function sealed(body: Buffer): Uint8Array {
  return Buffer.concat([sealOf(body), body]);
}

function unsealed(kept: Uint8Array): Buffer | null {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  const body = bytes.subarray(SEAL_BYTES);
  return bytes.subarray(0, SEAL_BYTES).equals(sealOf(body)) ? body : null;
}

function sealOf(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
