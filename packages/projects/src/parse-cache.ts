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
import { createConfirmedCheck, type IsTrusted, UNCONFIRMED } from './confirmed-check.ts';
import { createKnownFiles } from './known-files.ts';
import { forgetful, type LastGood } from './last-good.ts';
import type { ProjectText } from './read-project-file.ts';
import type { EditedText, ProjectReader } from './reader.ts';

/** The result of parsing a text of `project.yaml`; see `ProjectSnapshot`. */
interface Parsed {
  readonly text: string | null;
  readonly file: ProjectFile | null;
  readonly faults: readonly Issue[];
  readonly isUnconfirmed: boolean;
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
  /** Puts a text that parses in effect, which a person has confirmed. */
  confirm(slug: Slug, now: EditedText): Promise<void>;
  /** The text that is in effect; null if there is none. */
  goodText(slug: Slug): Promise<string | null>;
}

// One shared object, so that callers that compare two results see no change.
const NO_FAULTS: readonly Issue[] = [];
const WAITING: readonly Issue[] = [UNCONFIRMED];

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

function createMemory(logger: Logger, reader: ProjectReader, lastGood: LastGood) {
  const memory = createKnownFiles<Remembered>();
  const recall = (slug: Slug): Promise<Good> =>
    recallGood(slug, memory.get(slug), { lastGood, reader });
  const keep = (slug: Slug, now: Remembered): Remembered => {
    memory.set(slug, now);
    return now;
  };
  const saves = createKeyedMutex();
  const learn = async (slug: Slug, { text, file }: EditedText): Promise<Parsed> => {
    const about = { faults: NO_FAULTS, isUnconfirmed: false, isSaved: false };
    const now = keep(slug, { text, good: text, file, ...about });
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
  return { memory, recall, keep, learn, saves };
}

/** Parsing costs far more than reading, and most reads find the same text. */
export function createParseCache(
  logger: Logger,
  reader: ProjectReader,
  lastGood: LastGood = forgetful(),
  isTrusted: IsTrusted = async () => true,
): ParseCache {
  const { memory, recall, keep, learn, saves } = createMemory(logger, reader, lastGood);
  const isWhole = ({ faults }: Remembered): boolean =>
    lastGood.isShared !== true || faults.length === 0;
  const line = createKeyedMutex();
  const look = async (slug: Slug, read: ProjectText): Promise<Parsed> => {
    const known = memory.get(slug);
    if (read.ok && known !== undefined && isCurrent(known, read.text))
      return isWhole(known) ? known : keep(slug, { ...known, ...(await recall(slug)) });
    if (!read.ok) return ineffective(slug, null, read.issues);
    const { text } = read;
    const now = await parse(slug, text);
    if (!now.ok) return ineffective(slug, text, now.issues);
    if (await isConfirmed(slug, text)) return learn(slug, { text, file: now.value });
    return ineffective(slug, text, WAITING);
  };
  // Another server may have confirmed it.
  const isCurrent = ({ text, isUnconfirmed }: Remembered, now: string): boolean =>
    text === now && !(isUnconfirmed && lastGood.isShared === true);
  const ineffective = async (
    slug: Slug,
    text: string | null,
    faults: readonly Issue[],
  ): Promise<Parsed> => {
    const isUnconfirmed = faults === WAITING;
    return keep(slug, { text, faults, isUnconfirmed, ...(await recall(slug)), isSaved: false });
  };
  const goodText = async (slug: Slug): Promise<string | null> => (await recall(slug)).good;
  const isConfirmed = createConfirmedCheck({ logger, lastGood, isTrusted, goodText });
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
      if (known?.text !== text) {
        const now = await reader.read(text, slug);
        return now.ok && !(await isConfirmed(slug, text)) ? invalid(UNCONFIRMED) : now;
      }
      return known.file === null || known.faults.length > 0
        ? invalid(...known.faults)
        : success(known.file);
    },
    async confirm(slug, now) {
      await lastGood.setHeld(slug, false);
      await learn(slug, now);
    },
    goodText,
    async of(slug, read, again) {
      const known = memory.get(slug);
      if (read.ok && known?.text === read.text && isWhole(known)) return known;
      // While a text is being parsed, other callers wait and then find it in the cache.
      return line.run(slug, async () => look(slug, (await again()) ?? read));
    },
  };
}
