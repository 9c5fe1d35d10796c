import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '@svc/cli';
import type { Issue } from '@svc/core';
import { type UnusablePrompt, unusablePrompt } from '@svc/engine';
import { readProjectFile } from '@svc/projects';
import type { Source } from '@svc/records';
import {
  type Declared,
  type LegacySchedule,
  type ProjectFile,
  parseProject,
  type TriggerRecord,
} from '@svc/trigger-schema';
import { validationOf } from '../instance.ts';
import type { VerbContext } from '../verb-context.ts';

/** A valid entry of a project file, and the problem with its prompt file, if any. */
export interface ReadEntry {
  readonly source: Source;
  readonly name: string;
  readonly entry: Declared<TriggerRecord | LegacySchedule>;
  readonly prompt: UnusablePrompt | null;
}

/** A parsed project file, or its errors. */
type ReadProject =
  | {
      readonly ok: true;
      /** Real path of its folder. */
      readonly folder: string;
      readonly file: ProjectFile;
      readonly entries: readonly ReadEntry[];
    }
  | {
      readonly ok: false;
      readonly code: 'file_fault' | 'yaml_fault';
      readonly issues: readonly Issue[];
    };

/** Reads a project file and its prompt files like the service does. */
export async function readProject(
  { settings }: Pick<VerbContext, 'settings'>,
  path: string,
): Promise<ReadProject> {
  const text = await readProjectFile(path);
  if (text === null) throw new CommandError(`${path} does not exist.`);
  if (!text.ok) return { ok: false, code: 'file_fault', issues: text.issues };
  const parsed = parseProject(text.text, validationOf(settings));
  if (!parsed.ok) return { ok: false, code: 'yaml_fault', issues: parsed.issues };
  const folder = await realpath(dirname(path));
  const declared = [
    ...[...parsed.value.triggers].map((one) => ['trigger', ...one] as const),
    ...[...parsed.value.schedules].map((one) => ['schedule', ...one] as const),
  ];
  const entries: ReadEntry[] = [];
  for (const [source, name, entry] of declared) {
    const prompt = await unusablePrompt({ folder }, source, entry);
    entries.push({ source, name, entry, prompt });
  }
  return { ok: true, folder, file: parsed.value, entries };
}
