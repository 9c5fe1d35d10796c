import type { Nouns } from '../work.ts';
import { createAlertWork } from './alerting.ts';
import { createChatWork } from './chats.ts';
import type { NounParts } from './parts.ts';
import { createPausingWork } from './pausing.ts';
import { createProjectWork } from './projects.ts';
import { createPromptFileWork } from './prompt-files.ts';
import { createRunWork } from './runs.ts';
import { createServiceWork } from './service.ts';
import { createTriggerWork } from './triggers.ts';
import { createUsageWork } from './usage.ts';
import { createWhyWork } from './why-work.ts';

export function createNouns(parts: NounParts): Nouns {
  const { deps, settings, fences } = parts;
  const alerts = createAlertWork(deps);
  return {
    projects: createProjectWork(parts),
    triggers: createTriggerWork(parts),
    promptFiles: createPromptFileWork(deps),
    runs: createRunWork(deps),
    why: createWhyWork(parts),
    events: { list: (project, filter) => deps.store.events.list(project, filter) },
    chats: createChatWork(deps, settings),
    service: createServiceWork(deps, settings, fences, alerts, parts.members),
    pausing: createPausingWork(deps, parts),
    alerts,
    usage: createUsageWork(deps, settings),
    changes: deps.changes,
  };
}
