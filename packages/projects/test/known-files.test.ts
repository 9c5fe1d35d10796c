import { expect, it } from '@jest/globals';
import { createKnownFiles } from '../src/known-files.ts';

const fileOf = (text: string) => ({ text, isSaved: true });

it('does not find a project by its text before it was evicted', () => {
  const files = createKnownFiles(2);
  for (const slug of ['a', 'b', 'c']) files.set(slug, fileOf(slug));
  files.set('a', fileOf('A'));
  files.get('c');
  // Finding a project counts as a use of it.
  expect(files.withText('a')).toBeUndefined();
  files.set('d', fileOf('d'));
  expect(['a', 'c', 'd'].filter((slug) => files.get(slug) !== undefined)).toEqual(['c', 'd']);
  expect(files.withText('c')).toEqual(fileOf('c'));
});
