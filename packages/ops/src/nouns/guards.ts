import { createKeyedMutex } from '@svc/core';
import type { Slug } from '@svc/records';
import type { ProjectGuards } from '@svc/store';
import type { ProjectFile } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import { definitionHash } from './definition.ts';
import type { Members } from './members.ts';

/** Says of each definition after how many failures in a row it is paused. */
export interface Guards {
  /** Makes those of a project what its file says now; what was counted and paused under another definition is forgotten. */
  keep(project: Slug): Promise<void>;
}

export function createGuards(
  { store, projects, clock, logger }: Pick<OpsDeps, 'store' | 'projects' | 'clock' | 'logger'>,
  { isShared }: Pick<Members, 'isShared'>,
): Guards {
  // One after the other, each by the file as it is then, so that an older one never comes last.
  const line = createKeyedMutex();
  // Of a file that nobody holds any more it is stored once more.
  const kept = new Map<Slug, WeakRef<ProjectFile>>();
  return {
    keep: (project) =>
      line.run(project, async () => {
        const file = (await projects.snapshot(project))?.file ?? null;
        if (file === null) return;
        // Another process may have stored those of another text in between.
        if (!isShared && kept.get(project)?.deref() === file) return;
        const guards = guardsIn(project, file);
        for (const { name } of await store.pausing.guard(project, guards, clock.now())) {
          logger.info({ project, trigger: name }, 'changed trigger resumed');
        }
        kept.set(project, new WeakRef(file));
      }),
  };
}

function guardsIn(project: Slug, file: ProjectFile): ProjectGuards {
  const keyOf = (name: string) => ({ project, source: 'trigger', name }) as const;
  const guards = [...file.triggers].flatMap(([name, { record }]) => {
    const pauseAfter = record.policy?.pauseAfterFailures;
    if (pauseAfter === undefined) return [];
    return { key: keyOf(name), hash: definitionHash(record), pauseAfter };
  });
  // An entry with a mistake may be mended to what it was.
  const names = new Set([...file.invalid.map(({ name }) => name), ...file.beyond]);
  return { guards, unread: [...names].map(keyOf) };
}
