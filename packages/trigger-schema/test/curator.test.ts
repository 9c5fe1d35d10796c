import { describe, expect, it } from '@jest/globals';
import {
  curatorOf,
  curatorWarning,
  isCurator,
  type ProjectFile,
  parseProject,
} from '@svc/trigger-schema';

const entry = (name: string, on = 'afterTurn', enabled = true): string =>
  `  ${name}:\n    trigger: { type: event, on: ${on} }\n    run: { prompt: x }\n    enabled: ${enabled}\n`;

function fileOf(...entries: string[]): ProjectFile {
  const parsed = parseProject(`triggers:\n${entries.join('')}`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

const secondsOf = (file: ProjectFile): string[] =>
  [...file.triggers].flatMap(([name, { warnings }]) =>
    warnings
      .filter(({ message }) => message.includes('comes first'))
      .map(({ path, message, line }) => `${name} ${path}:${line} ${message}`),
  );

const warningFor = (first: string): string =>
  `is afterTurn, but ${first} comes first in the file and is the curator, so this trigger never runs; disable one of them.`;

describe('the curator of a project', () => {
  // proves: curator.first
  it('is the first in the file that is enabled and valid; the others have a warning', () => {
    const file = fileOf(
      entry('hook', 'onArchive'),
      entry('off', 'afterTurn', false),
      '  broken: { trigger: { type: event, on: afterTurn }, enabled: true }\n',
      entry('one'),
      entry('two'),
      entry('three'),
    );
    expect(curatorOf(file)).toBe('one');
    expect(['one', 'two', 'off'].map((name) => isCurator(file, name))).toEqual([
      true,
      false,
      false,
    ]);
    expect(secondsOf(file)).toEqual([
      `two trigger.on:16 ${warningFor('one')}`,
      `three trigger.on:20 ${warningFor('one')}`,
    ]);
  });

  it('does not exist if no such trigger is enabled', () => {
    const file = fileOf(entry('hook', 'onArchive'), entry('off', 'afterTurn', false));
    expect(curatorOf(file)).toBeNull();
    expect(secondsOf(file)).toEqual([]);
  });

  it('is checked for a record at its place in the file', () => {
    const file = fileOf(entry('off', 'afterTurn', false), entry('one'), entry('two'));
    const record = file.triggers.get('one')?.record;
    if (record === undefined) throw new Error('It is not there.');
    const warned = (name?: string) => curatorWarning(file, name, record)?.message ?? null;
    expect([warned('off'), warned('one'), warned('two'), warned('fresh'), warned()]).toEqual([
      null,
      null,
      warningFor('one'),
      warningFor('one'),
      warningFor('one'),
    ]);
    expect(curatorWarning(file, 'fresh', { ...record, enabled: false })).toBeNull();
  });
});
