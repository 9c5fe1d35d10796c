import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Runtime } from '@svc/agent-runtime';
import { invalid, messageOf } from '@svc/core';
import { attentionOfFiles, createPromptRemarks } from '@svc/ops';
import { parseProject } from '@svc/trigger-schema';
import { validationOf } from '../instance.ts';
import { attentionLines } from './attention-lines.ts';
import type { VerbContext } from './context.ts';
import { projectFiles } from './project-files.ts';

/** What needs attention in the projects of a home that no service runs for, as far as their files show. */
export async function attentionInHome(
  context: VerbContext,
  runtimes: ReadonlyMap<string, Runtime>,
): Promise<string[]> {
  const { settings } = context;
  const { default: defaultRuntime } = settings.runtime;
  const remarks = createPromptRemarks({ runtimes }, { defaultRuntime });
  const files = await projectFiles(context, undefined).catch(() => []);
  const entries = [];
  for (const path of files) {
    const parsed = await readFile(path, 'utf8').then(
      (text) => parseProject(text, validationOf(settings)),
      (error: unknown) => invalid({ path: '', message: `cannot be read: ${messageOf(error)}.` }),
    );
    const folder = dirname(path);
    const read = parsed.ok
      ? { file: parsed.value, faults: [] }
      : { file: null, faults: parsed.issues };
    entries.push(...attentionOfFiles({ slug: basename(folder), folder, ...read }, remarks));
  }
  return attentionLines({ total: entries.length, entries });
}
