import { join } from 'node:path';
import { failure, type Result, success } from '@svc/core';
import type { FileGuard } from './edit-file.ts';
import type { EditError } from './errors.ts';
import type { ParseCache } from './parse-cache.ts';
import { PROJECT_FILE } from './paths.ts';
import { readProjectText } from './read-project-file.ts';
import type { ProjectReader } from './reader.ts';

/** A changed `project.yaml` that a person confirms, or has confirmed. */
export interface Confirmation {
  /** Whether `current` is in effect now. */
  readonly confirmed: boolean;
  /** The text that was in effect; null if there was none. */
  readonly inEffect: string | null;
  /** The text of the file. */
  readonly current: string;
}

interface ConfirmPlace {
  readonly slug: string;
  readonly folder: string;
  readonly reader: ProjectReader;
  readonly parsed: ParseCache;
  readonly guard: Pick<FileGuard, 'confirm'>;
}

/** Puts an unconfirmed file in effect if its text is the expected one. */
export async function confirmFile(
  { slug, folder, reader, parsed, guard }: ConfirmPlace,
  isExpected: (text: string) => boolean,
): Promise<Result<Confirmation, EditError>> {
  const read = await readProjectText(folder);
  if (read === null) return failure(NOT_UNCONFIRMED);
  const { isUnconfirmed } = await parsed.of(slug, read, async () => read);
  if (!isUnconfirmed || !read.ok) return failure(NOT_UNCONFIRMED);
  const { text: current } = read;
  const inEffect = await parsed.goodText(slug);
  if (!isExpected(current)) return success({ confirmed: false, inEffect, current });
  const now = await reader.read(current, slug);
  if (!now.ok) return failure({ ...NOT_UNCONFIRMED, issues: now.issues });
  await guard.confirm(join(folder, PROJECT_FILE), Buffer.from(current));
  await parsed.confirm(slug, { text: current, file: now.value });
  return success({ confirmed: true, inEffect, current });
}

const NOT_UNCONFIRMED: EditError = {
  code: 'conflict',
  message: `${PROJECT_FILE} does not wait for confirmation.`,
  issues: [],
};
