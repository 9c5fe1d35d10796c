import { describe, expect, it } from '@jest/globals';
import { fileRights } from '@svc/agent-runtime';
import { fullCapability } from './support.ts';

describe('the rights to write files', () => {
  const agent = fileRights(fullCapability);
  const keeper = fileRights({ ...fullCapability, runsAs: 'keeper' });

  it.each([
    ['project.yaml'],
    ['PROJECT.yaml'],
    ['.git'],
    ['.git', 'hooks', 'pre-commit'],
    ['vendor', '.Git', 'config'],
    ['.claude', 'settings.json'],
    ['a', '.CLAUDE', 'x'],
    ['.g\u200cit', 'config'],
    ['\uFF0Egit', 'config'],
  ])('are denied to all turns at %s %s', (...place) => {
    expect(agent.refusalToWrite(place)).toMatch(/^File tools may not write /);
    expect(keeper.refusalToWrite(place)).toMatch(/^File tools may not write /);
  });

  // proves: run.prompt-file.keeper
  it.each([[['.svc']], [['.svc', 'OVERVIEW.md']], [['.SVC', 'triggers', 'a.md']]])(
    'are limited to the keeper at %j',
    (place) => {
      expect(agent.refusalToWrite(place)).toBe('Only the keeper may write in .svc/.');
      expect(keeper.refusalToWrite(place)).toBeNull();
    },
  );

  it.each([
    [['a.md']],
    [['docs', 'project.yaml']],
    [['.gitignore']],
    [['.github', 'workflows', 'a.yml']],
    [['docs', '.svc', 'x']],
    [['git', 'x']],
  ])('are granted to all turns at %j', (place) => {
    expect(agent.refusalToWrite(place)).toBeNull();
  });
});
