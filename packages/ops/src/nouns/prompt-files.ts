import { failure, sentenceOf, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Source } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import type { Answer } from '../errors.ts';
import { definitionsOf } from './definition.ts';

/** A prompt file, and what names it. */
export interface ListedPromptFile {
  readonly source: Source;
  /** As an entry spells it. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Names of the triggers, or legacy schedules, that run it. */
  readonly usedBy: readonly string[];
}

/** A prompt file as a fire would read it now. */
export interface PromptText {
  readonly source: Source;
  readonly name: string;
  readonly text: string;
}

/** Reading the prompt files of a project. */
export interface PromptFileWork {
  /** Those that there are, by folder and name. */
  list(project: ProjectSnapshot): Promise<readonly ListedPromptFile[]>;
  /** One, by the rules of a fire; `not_found` says why a fire could not read it. */
  read(project: ProjectSnapshot, source: Source, name: string): Answer<PromptText>;
}

// Longer than any name that is allowed.
const LONGEST_SHOWN = 200;

export function createPromptFileWork({ projects }: Pick<OpsDeps, 'projects'>): PromptFileWork {
  return {
    async list(project) {
      const { slug, file } = project;
      const users = new Map<string, string[]>();
      for (const { key, prompt } of file === null ? [] : definitionsOf(slug, file)) {
        if (prompt === null || 'inline' in prompt) continue;
        const place = `${key.source}/${prompt.file}`;
        users.set(place, [...(users.get(place) ?? []), key.name]);
      }
      const files = await projects.listPrompts(slug);
      return files.map((one) => ({
        ...one,
        usedBy: users.get(`${one.source}/${one.name}`) ?? [],
      }));
    },
    async read({ slug }, source, name) {
      const read = await projects.readPrompt(slug, source, name);
      if (read.ok) return success({ source, name, text: read.value });
      const shown = name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;
      const [issue = { path: '', message: 'cannot be read.' }] = read.issues;
      const message = sentenceOf(issue, `The prompt file ${shown}`);
      return failure({ code: 'not_found', message });
    },
  };
}
