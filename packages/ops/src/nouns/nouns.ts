import type { Nouns } from '../work.ts';
import { createChatWork } from './chats.ts';
import type { NounParts } from './parts.ts';
import { createProjectWork } from './projects.ts';
import { createRunWork } from './runs.ts';
import { createTriggerWork } from './triggers.ts';

export function createNouns(parts: NounParts): Nouns {
  const { deps, settings, arming } = parts;
  return {
    projects: createProjectWork(deps, arming),
    triggers: createTriggerWork(parts),
    runs: createRunWork(deps),
    chats: createChatWork(deps, settings),
    changes: deps.changes,
  };
}
