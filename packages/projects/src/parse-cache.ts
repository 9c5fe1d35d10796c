import {
  type Checked,
  createKeyedMutex,
  failureLevel,
  type Issue,
  invalid,
  type Logger,
  messageOf,
  success,
} from '@svc/core';
import type { Slug } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';
import { createKnownFiles } from './known-files.ts';
import type { ProjectText } from './read-project-file.ts';
import type { EditedText, ProjectReader } from './reader.ts';

/** Stores the last text of each project file that parsed. */
export interface LastGood {
  /** Whether other processes save there too. Default: false. */
  readonly isShared?: boolean;
  load(slug: Slug): Promise<string | null>;
  save(slug: Slug, text: string): Promise<void>;
  forget(slug: Slug): Promise<void>;
}

/** The result of parsing a text of `project.yaml`; see `ProjectSnapshot`. */
interface Parsed {
  readonly text: string | null;
  readonly file: ProjectFile | null;
  readonly faults: readonly Issue[];
}

/** The parsed files of all projects. */
export interface ParseCache {
  /**
   * Returns the parsed file, the same object for the same text.
   * @param again reads the file again, so that a file that changes faster than it is parsed is parsed in its latest
   * version
   */
  of(slug: Slug, read: ProjectText, again: () => Promise<ProjectText | null>): Promise<Parsed>;
  /** Parses a text without recording it as the file. */
  parse(slug: Slug, text: string): Promise<Checked<ProjectFile>>;
  /** Records a text that was parsed already as the file. */
  learn(slug: Slug, now: EditedText): Promise<void>;
  forget(slug: string): Promise<void>;
}

const FORGETFUL: LastGood = {
  load: async () => null,
  save: async () => {},
  forget: async () => {},
};

// One shared object, so that callers that compare two results see no change.
const NO_FAULTS: readonly Issue[] = [];

interface Remembered extends Parsed {
  /** The last text that parsed; null if unknown. */
  readonly good: string | null;
  /** Whether the entry can be read from the store again: its text parses and is saved as the last good one. */
  isSaved: boolean;
}

type Good = Pick<Remembered, 'file' | 'good'>;

async function recallGood(
  slug: Slug,
  known: Remembered | undefined,
  { lastGood, reader }: { readonly lastGood: LastGood; readonly reader: ProjectReader },
): Promise<Good> {
  const held: Good = { file: known?.file ?? null, good: known?.good ?? null };
  if (known !== undefined && lastGood.isShared !== true) return held;
  const text = await lastGood.load(slug).catch(() => null);
  // Another process may have seen a later one.
  if (text === null || (known !== undefined && text === known.good)) return held;
  const parsed = await reader.read(text, slug);
  return parsed.ok ? { file: parsed.value, good: text } : held;
}

/** Parsing costs far more than reading, and most reads find the same text. */
export function createParseCache(
  logger: Logger,
  reader: ProjectReader,
  lastGood: LastGood = FORGETFUL,
): ParseCache {
  const memory = createKnownFiles<Remembered>();
  const recall = (slug: Slug): Promise<Good> =>
    recallGood(slug, memory.get(slug), { lastGood, reader });
  const isWhole = ({ faults }: Remembered): boolean =>
    lastGood.isShared !== true || faults.length === 0;
  const keep = (slug: Slug, now: Remembered): Remembered => {
    memory.set(slug, now);
    return now;
  };
  const saves = createKeyedMutex();
  const learn = async (slug: Slug, { text, file }: EditedText): Promise<Parsed> => {
    const now = keep(slug, { text, good: text, file, faults: NO_FAULTS, isSaved: false });
    // If several texts are learned at the same time, the last one must be saved last.
    await saves
      .run(slug, async () => {
        if (memory.get(slug)?.file !== file) return;
        await lastGood.save(slug, text);
        now.isSaved = true;
      })
      .catch((error: unknown) => {
        logger[failureLevel(error, 'warn')](
          { project: slug, error: messageOf(error) },
          'last valid version not saved',
        );
      });
    return now;
  };
  const line = createKeyedMutex();
  const look = async (slug: Slug, read: ProjectText): Promise<Parsed> => {
    const known = memory.get(slug);
    if (read.ok && known?.text === read.text)
      return isWhole(known) ? known : keep(slug, { ...known, ...(await recall(slug)) });
    const now = read.ok ? await parse(slug, read.text) : read;
    if (read.ok && now.ok && 'value' in now)
      return learn(slug, { text: read.text, file: now.value });
    const { file, good } = await recall(slug);
    const faults = now.ok ? [] : now.issues;
    const text = read.ok ? read.text : null;
    return keep(slug, { text, good, file, faults, isSaved: false });
  };
  const parse = async (slug: Slug, text: string): Promise<Checked<ProjectFile>> => {
    const same = memory.withText(text);
    const isParsed = same?.faults.length === 0 && same.file !== null;
    return isParsed ? success(same.file) : reader.read(text, slug);
  };
  return {
    async forget(slug) {
      // A later project of that name is another project.
      memory.delete(slug);
      await saves.run(slug, () => lastGood.forget(slug)).catch(() => {});
    },
    async learn(slug, now) {
      await learn(slug, now);
    },
    async parse(slug, text) {
      const known = memory.get(slug);
      if (known?.text !== text) return reader.read(text, slug);
      return known.file === null || known.faults.length > 0
        ? invalid(...known.faults)
        : success(known.file);
    },
    async of(slug, read, again) {
      const known = memory.get(slug);
      if (read.ok && known?.text === read.text && isWhole(known)) return known;
      // While a text is being parsed, other callers wait and then find it in the cache.
      return line.run(slug, async () => look(slug, (await again()) ?? read));
    },
  };
}
