import type { ChangeFeed } from '../changes.ts';
import { type ChatWork, createChatWork } from './chats.ts';
import type { NounParts } from './parts.ts';
import { createProjectWork, type ProjectWork } from './projects.ts';
import { createPromptFileWork, type PromptFileWork } from './prompt-files.ts';
import { createRunWork, type RunWork } from './runs.ts';
import { createTriggerWork, type TriggerWork } from './triggers.ts';

/** What there is to work on. Nothing here asks whether the caller may; the gate has asked before. */
export interface Nouns {
  readonly projects: ProjectWork;
  readonly triggers: TriggerWork;
  readonly promptFiles: PromptFileWork;
  readonly runs: RunWork;
  readonly chats: ChatWork;
  readonly changes: ChangeFeed;
}

export function createNouns(parts: NounParts): Nouns {
  const { deps, settings } = parts;
  return {
    projects: createProjectWork(parts),
    triggers: createTriggerWork(parts),
    promptFiles: createPromptFileWork(deps),
    runs: createRunWork(deps),
    chats: createChatWork(deps, settings),
    changes: deps.changes,
  };
}
