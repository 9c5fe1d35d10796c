import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failure, success } from '@svc/core';
import type { Projects } from '@svc/projects';
import { openProject } from '@svc/trigger-schema';

/** Projects whose repositories are texts of `project.yaml`; what an address does not name cannot be cloned. */
export function withRepos(
  root: () => string,
  repos: Readonly<Record<string, string>>,
): (onDisk: Projects) => Projects {
  return (onDisk) => ({
    ...onDisk,
    async clone(slug, repo, _text, { disabled = false, maxSpawnDepth = 0, onFile }) {
      const opened = openProject(repos[repo] ?? '[');
      const off = opened.ok && disabled ? opened.value.edited({ disable: 'all' }) : opened;
      const settled = off.ok && disabled ? off.value.edited({ narrow: { maxSpawnDepth } }) : off;
      if (!settled.ok) {
        return failure({ code: 'unsuitable', message: 'It cannot be read.', issues: [] });
      }
      await onFile?.(settled.value.file);
      mkdirSync(join(root(), slug));
      writeFileSync(join(root(), slug, 'project.yaml'), settled.value.text);
      const narrowed = disabled ? ['hooksMcpEnabled'] : [];
      return success({ created: true, ownFile: true, disabled, narrowed });
    },
  });
}
