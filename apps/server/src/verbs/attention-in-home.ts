import { basename, dirname } from 'node:path';
import type { Runtime } from '@svc/agent-runtime';
import { attentionLines, findProjectFiles, readProject } from '@svc/cli';
import { messageOf } from '@svc/core';
import { createPromptRemarks } from '@svc/engine';
import { attentionOfFiles } from '@svc/ops';
import type { VerbContext } from '../verb-context.ts';

/** What needs attention in the project files of a home without a running server, one line each. */
export async function attentionInHome(
  context: VerbContext,
  runtimes: ReadonlyMap<string, Runtime>,
): Promise<string[]> {
  const { default: defaultRuntime } = context.settings.runtime;
  const remarks = createPromptRemarks({ runtimes }, { defaultRuntime });
  const files = await findProjectFiles(context, undefined).catch(() => []);
  const items = [];
  for (const path of files) {
    const slug = basename(dirname(path));
    const read = await readProject(context, path).catch((error: unknown) => {
      const message = `cannot be read: ${messageOf(error).replace(/\.$/, '')}.`;
      return { ok: false, issues: [{ path: '', message }] } as const;
    });
    const project = read.ok
      ? { slug, folder: read.folder, file: read.file, faults: [] }
      : { slug, folder: dirname(path), file: null, faults: read.issues };
    const prompts = new Map(
      (read.ok ? read.entries : []).map(({ entry, prompt }) => [entry.record, prompt?.issue]),
    );
    const found = attentionOfFiles(project, ({ key: { source }, record }) =>
      remarks.faultOf(project, source, record, prompts.get(record)),
    );
    items.push(...found);
  }
  return attentionLines({ total: items.length, entries: items });
}
