import { type Issue, type Logger, messageOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { type ProjectFile, type ProjectRules, parseProject } from '@svc/trigger-schema';
import type { ProjectText } from './reading.ts';

/** Remembers the last good text of each project file. */
export interface LastGood {
  load(slug: Slug): Promise<string | null>;
  save(slug: Slug, text: string): Promise<void>;
  forget(slug: Slug): Promise<void>;
}

/** What a text of `project.yaml` comes to; see `ProjectSnapshot`. */
interface Parsed {
  readonly file: ProjectFile | null;
  readonly faults: readonly Issue[];
}

/** What the texts of each project came to. */
export interface ParseMemory {
  of(slug: Slug, read: ProjectText): Promise<Parsed>;
  faultsOf(slug: Slug, text: string): readonly Issue[];
  forget(slug: string): Promise<void>;
}

const FORGETFUL: LastGood = {
  load: async () => null,
  save: async () => {},
  forget: async () => {},
};

interface Remembered extends Parsed {
  readonly text: string | null;
}

/** Parsing costs far more than reading, and most reads find the text they found before. */
export function createParseMemory(
  logger: Logger,
  validation: ProjectRules,
  lastGood: LastGood = FORGETFUL,
): ParseMemory {
  const memory = new Map<Slug, Remembered>();
  const recall = async (slug: Slug): Promise<ProjectFile | null> => {
    const known = memory.get(slug);
    if (known !== undefined) return known.file;
    const text = await lastGood.load(slug).catch(() => null);
    const parsed = text === null ? null : parseProject(text, validation);
    return parsed?.ok === true ? parsed.value : null;
  };
  const remember = async (slug: Slug, text: string, file: ProjectFile): Promise<Parsed> => {
    const isNew = memory.get(slug)?.text !== text;
    memory.set(slug, { text, file, faults: [] });
    if (isNew) {
      await lastGood.save(slug, text).catch((error: unknown) => {
        logger.warn(
          { project: slug, error: messageOf(error) },
          'a good version was not remembered',
        );
      });
    }
    return { file, faults: [] };
  };
  return {
    async forget(slug: string): Promise<void> {
      // Another project of that name, later on, is another project.
      if (memory.delete(slug)) await lastGood.forget(slug).catch(() => {});
    },
    faultsOf(slug: Slug, text: string): Parsed['faults'] {
      const known = memory.get(slug);
      if (known?.text === text) return known.faults;
      const now = parseProject(text, validation);
      return now.ok ? [] : now.issues;
    },
    async of(slug: Slug, read: ProjectText): Promise<Parsed> {
      const known = memory.get(slug);
      if (read.ok && known?.text === read.text) return known;
      const now = read.ok ? parseProject(read.text, validation) : read;
      if (read.ok && now.ok && 'value' in now) return remember(slug, read.text, now.value);
      const file = await recall(slug);
      const faults = now.ok ? [] : now.issues;
      memory.set(slug, { text: read.ok ? read.text : null, file, faults });
      return { file, faults };
    },
  };
}
