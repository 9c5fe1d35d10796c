import { describe, expect, it } from '@jest/globals';
import { parseProject, projectFileSchema } from '@svc/trigger-schema';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

const check = new Ajv({ allErrors: true, strict: false }).compile(projectFileSchema);

function faultsIn(text: string): string {
  check(parse(text));
  return JSON.stringify(check.errors ?? []);
}

const GOOD = `name: Web
status: active
x-owner: me
keeper: { permissionMode: plan }
triggers:
  daily:
    trigger: { type: schedule, cron: 0 9 * * *, timezone: Europe/Berlin }
    run: { promptFile: daily.md, tools: [Read], timeout: 10m }
    enabled: true
    policy: { catchUp: none }
  often: { trigger: { type: schedule, interval: 5m }, run: { prompt: Hi } }
  later: { trigger: { type: webhook } }
  hook: { trigger: { type: event, on: onArchive }, run: { prompt: Hi } }
schedules:
  old: { type: cron, cron: 0 9 * * *, prompt: Hi, resume_session: true }
`;

describe('the schema of project.yaml for editors', () => {
  it('accepts what the parser accepts', () => {
    const parsed = parseProject(GOOD);
    expect(parsed.ok && parsed.value.invalid).toEqual([]);
    expect(faultsIn(GOOD)).toBe('[]');
  });

  it.each([
    ['triggres: {}', 'triggres'],
    ['status: sleeping', '/status'],
    ['triggers: { a: { trigger: { type: schedule }, run: { prompt: x } } }', '/triggers/a/trigger'],
    ['triggers: { a: { trigger: { type: webhook }, run: { prompt: x, tolls: [] } } }', 'tolls'],
    [
      'triggers: { a: { trigger: { type: webhook }, run: { prompt: x, promptFile: y.md } } }',
      'run',
    ],
    ['triggers: { a: { trigger: { type: webhook }, enabled: "yes" } }', '/enabled'],
    ['schedules: { a: { type: cron, cron: "* * * * *" } }', '/schedules/a'],
  ])('underlines %s', (text, path) => {
    expect(faultsIn(text)).toContain(path);
  });
});
