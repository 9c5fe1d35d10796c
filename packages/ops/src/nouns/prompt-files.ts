import { abridged, failure, sentenceOf, success } from '@svc/core';
import type { OpsDeps } from '../deps.ts';
import type { PromptFileWork } from '../work.ts';
import { definitionsOf } from './definition.ts';

// Longer than any valid name.
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
      const shown = abridged(name, LONGEST_SHOWN + 1);
      const [issue = { path: '', message: 'cannot be read.' }] = read.issues;
      const message = sentenceOf(issue, `The prompt file ${shown}`);
      return failure({ code: 'not_found', message });
    },
  };
}
