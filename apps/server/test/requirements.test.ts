import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Proof, REQUIREMENTS } from './requirements.ts';

const ROOT = new URL('../../../', import.meta.url);
const files = [...new Set(REQUIREMENTS.flatMap(({ proven }) => proven.map(({ file }) => file)))];
const textOf = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

// The title must be what `it` is given: after `it(`, or after the `)(` that ends a table of cases.
const TITLES = /(?:\bit\(|\)\()\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
const unescaped = (text: string): string => text.replace(/\\(['"`\\])/g, '$1');

function titlesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(TITLES)].map(([, , title = '']) => unescaped(title)));
}

const isProof = ({ file, test, row }: Proof): boolean => {
  const text = textOf(file);
  return titlesIn(text).has(test) && (row === undefined || unescaped(text).includes(row));
};

describe('the requirements of the management endpoint', () => {
  it('have ids of their own', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)*$/);
  });

  it.each(REQUIREMENTS.map(({ id, says, proven }) => ({ id, says, proven })))(
    'are proven: $id',
    ({ says, proven }) => {
      expect(says).toMatch(/^\S.*\.$/);
      expect(proven.length).toBeGreaterThan(0);
      expect(proven.filter((proof) => !isProof(proof))).toEqual([]);
    },
  );

  it.each(files)('are proven by tests that run: %s', (file) => {
    expect(existsSync(new URL(file, ROOT))).toBe(true);
    const text = textOf(file);
    expect(text).not.toMatch(/\b(?:it|test|describe)\.(?:skip|todo|failing|only)\b/);
    expect(text).not.toMatch(/\b(?:xit|xtest|xdescribe|fit|fdescribe)\b/);
  });
});
