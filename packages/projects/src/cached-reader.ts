import { type Checked, success } from '@svc/core';
import type { ProjectFile } from '@svc/trigger-schema';
import { createLruCache } from './lru-cache.ts';
import type { ProjectReader } from './reader.ts';

// Bytes of texts. The current files are cached elsewhere. This cache is for texts that return, for example when an
// edit is undone or a program replaces a file in two steps.
const ROOM = 4 * 1024 * 1024;

interface Known {
  readonly text: string;
  readonly file: ProjectFile;
}

/** Wraps a reader with a cache: a known text is read only once, whatever project it belongs to. */
export function createCachedReader(reader: ProjectReader): ProjectReader {
  const known = createLruCache<Known>({
    room: ROOM,
    sizeOf: ({ text }) => Buffer.byteLength(text),
  });
  const reading = new Map<string, Promise<Checked<ProjectFile>>>();
  const readOnce = async (text: string, project: string): Promise<Checked<ProjectFile>> => {
    try {
      const now = await reader.read(text, project);
      // A failure is not cached, because its cause may be the thread that reads the text.
      if (now.ok) known.set(text, { text, file: now.value });
      return now;
    } finally {
      reading.delete(text);
    }
  };
  return {
    async read(text, project) {
      const found = known.get(text);
      if (found !== undefined) return success(found.file);
      const now = reading.get(text) ?? readOnce(text, project);
      reading.set(text, now);
      return now;
    },
    async edit(text, edit, project) {
      const now = await reader.edit(text, edit, project);
      if (now.ok) known.set(now.value.text, now.value);
      return now;
    },
  };
}
