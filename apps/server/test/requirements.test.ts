import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { proofsIn } from './proofs.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

const testFiles = ['packages', 'apps']
  .flatMap((floor) => readdirSync(join(ROOT, floor)).map((name) => `${floor}/${name}`))
  .flatMap((room) => [`${room}/test`, `${room}/test-deep`])
  .filter((folder) => existsSync(join(ROOT, folder)))
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
const proofs = testFiles.map((file) => ({
  file,
  ...proofsIn(readFileSync(join(ROOT, file), 'utf8')),
}));
const cited = new Set(proofs.flatMap(({ ids }) => ids));

describe('the requirements', () => {
  it('have unique ids, and each is one sentence', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
    for (const { id, says } of REQUIREMENTS) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)*$/);
      expect(says).toMatch(/^\S.*\.$/);
    }
  });

  it('are each proved by a test', () => {
    const due = REQUIREMENTS.filter(({ pending }) => pending === null).map(({ id }) => id);
    expect(due.filter((id) => !cited.has(id))).toEqual([]);
  });

  it('give a reason while they are pending, and only then', () => {
    const waiting = REQUIREMENTS.filter(({ pending }) => pending !== null);
    for (const { pending } of waiting) expect(pending).toMatch(/^\S.*\.$/);
    expect(waiting.map(({ id }) => id).filter((id) => cited.has(id))).toEqual([]);
  });

  it('include every id that tests cite', () => {
    const known = new Set(REQUIREMENTS.map(({ id }) => id));
    const unknown = proofs.flatMap(({ file, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are cited directly above tests, in files without disabled tests', () => {
    const faults = proofs.flatMap(({ file, faults }) => faults.map((fault) => `${file}: ${fault}`));
    expect(faults).toEqual([]);
  });
});

describe('a citation', () => {
  const mark = '// proves:';
  it.each<[string, string[], string[]]>([
    [`${mark} a.b, c\n  it('x', () => {});`, ['a.b', 'c'], []],
    [`  ${mark} a\n  ${mark} b\n  it.each([\n`, ['a', 'b'], []],
    [`${mark} a\ndescribe.each<[string]>(rows)(`, ['a'], []],
    [`${mark} a\nit.each<[string]>([\n`, ['a'], []],
    [`${mark} a\n\nit('x', () => {});`, ['a'], ['line 1 is not directly above a test']],
    [`${mark} a\n// More.\nit(`, ['a'], ['line 1 is not directly above a test']],
    [`${mark} a\nconst x = 1;`, ['a'], ['line 1 is not directly above a test']],
    [`${mark} a\nit.skip('x'`, ['a'], ['line 1 is not directly above', 'line 2 disables a test']],
    [`${mark} a\nit('x'\nit.todo('y'`, ['a'], ['line 3 disables a test']],
    [`${mark} a\nit('x', () => {}); xit('y'`, ['a'], ['line 2 disables a test']],
    [`${mark} a\nit('x'\n  describe('z', () => { fit.each([`, ['a'], ['line 3 disables a test']],
    [`${mark} a\nit('x'\n// It does not fit the window.`, ['a'], []],
    ["it.only('x'", [], []],
    ['//proves: a', [], ['line 1 is not written as']],
    ['// Proves: a', [], ['line 1 is not written as']],
    ['// proves a', [], ['line 1 is not written as']],
    [`${mark}`, [], ['line 1 is not written as']],
    ['/** proves: a */', [], ['line 1 is not written as']],
  ])('in %j is parsed', (text, ids, faults) => {
    const read = proofsIn(text);
    expect(read.ids).toEqual(ids);
    expect(read.faults).toEqual(faults.map((fault) => expect.stringContaining(fault)));
  });
});
