import { createProcessReaper } from '@svc/agent-runtime';
import type { HomeProjects } from '@svc/cli';
import { createSystemClock, silentLogger } from '@svc/core';
import { createPromptRemarks } from '@svc/engine';
import { requireHome, requireRestored } from './home.ts';
import { readLastUse } from './last-use.ts';
import { projectRules } from './project-rules.ts';
import { createRuntimes } from './runtimes.ts';
import { limitsNetwork } from './sandboxes.ts';
import { homeInUse } from './shared-home.ts';
import type { LocalHomeParts } from './verb-context.ts';

/** Creates the access of commands to the project files of a home. */
export function createHomeProjects(parts: Omit<LocalHomeParts, 'stopAtOnce'>): HomeProjects {
  const { home, settings, version } = parts;
  return {
    async folder({ isRequired = false } = {}) {
      const used = await homeInUse(home);
      await requireRestored(used);
      const wasUsed = used.projectsAreNamed || (await readLastUse(used)) !== null;
      if (isRequired || wasUsed) await requireHome(used);
      return used.projects;
    },
    rules: async () => projectRules(settings, limitsNetwork(settings.agents.sandbox)),
    async promptRemarks() {
      const clock = createSystemClock();
      const reaper = createProcessReaper({ clock, logger: silentLogger });
      const keys = { of: () => null };
      const deps = {
        clock,
        logger: silentLogger,
        reaper,
        keys,
        path: '',
        user: null,
        sandboxes: null,
      };
      const runtimes = createRuntimes({ ...deps, home, settings, version });
      return createPromptRemarks({ runtimes }, { defaultRuntime: settings.runtime.default });
    },
  };
}
