import { createKeyedMutex } from '@svc/core';
import type { Slug } from '@svc/records';
import type { ProjectGuards } from '@svc/store';
import type { ProjectFile } from '@svc/trigger-schema';
import type { Members } from '../cluster/members.ts';
import { definitionHash } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';

/** Stores after how many consecutive failures each definition is paused. */
export interface Guards {
  /** Updates the guards of a project to its file; counts and pauses of other definitions are removed. */
  keep(project: Slug): Promise<void>;
}

export function createGuards(
  { store, projects, clock, logger }: Pick<EngineDeps, 'store' | 'projects' | 'clock' | 'logger'>,
  { isShared }: Pick<Members, 'isShared'>,
): Guards {
  // Sequential, and each with the file at that time, so that an older one never wins.
  const line = createKeyedMutex();
  // The cache holds weak references: an unreferenced file is stored again.
  const kept = new Map<Slug, WeakRef<ProjectFile>>();
  return {
    keep: (project) =>
      line.run(project, async () => {
        const file = (await projects.snapshot(project))?.file ?? null;
        if (file === null) return;
        // Another server may have stored those of another text in between.
        if (!isShared && kept.get(project)?.deref() === file) return;
        const guards = guardsIn(project, file);
        for (const { name } of await store.pausing.guard(project, guards, clock.now())) {
          logger.info({ project, trigger: name, by: 'edit' }, 'trigger resumed');
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
  // An invalid entry may be fixed to what it was before.
  const names = new Set([...file.invalid.map(({ name }) => name), ...file.beyond]);
  return { guards, unread: [...names].map(keyOf) };
}
