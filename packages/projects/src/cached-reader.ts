import { type Checked, success } from '@svc/core';
import type { ProjectFile } from '@svc/trigger-schema';
import type { ProjectReader } from './reader.ts';
import { createRecent } from './recent.ts';

// Bytes of texts. What a project file says now is cached elsewhere; this is for texts that come back, as when an edit is
// undone or a program replaces a file in two steps.
const ROOM = 4 * 1024 * 1024;

interface Known {
  readonly text: string;
  readonly file: ProjectFile;
}

/** The same reader, which reads a text that it knows only once, whichever project it belongs to. */
export function createCachedReader(reader: ProjectReader): ProjectReader {
  const known = createRecent<Known>({
    room: ROOM,
    sizeOf: ({ text }) => Buffer.byteLength(text),
  });
  const reading = new Map<string, Promise<Checked<ProjectFile>>>();
  const readOnce = async (text: string, project: string): Promise<Checked<ProjectFile>> => {
    try {
      const now = await reader.read(text, project);
      // What a text cannot be read for may lie with the thread that reads it.
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
