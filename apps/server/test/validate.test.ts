import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { svc } from './in-process.ts';

const trigger = (run: string, rest = 'enabled: true'): string =>
  `triggers:\n  a:\n    trigger: { type: schedule, cron: "0 9 * * *", timezone: UTC }\n    run: ${run}\n    ${rest}\n`;
const FILE = '{ promptFile: a.md }';
const LATIN_1 = Buffer.from('caf\xe9\n', 'latin1');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-validate-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const path = (name: string): string => join(home, 'projects/demo', name);
const write = (name: string, text: string | Buffer): void => {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
};
const run = (...given: string[]) => svc([...given, '--home', home]);

interface Finding {
  readonly code: string;
  readonly line: number;
  readonly message: string;
}

async function findings(): Promise<[number, Finding[]]> {
  const { code, out } = await run('validate', 'demo', '--json');
  return [code, (JSON.parse(out) as { findings: Finding[] }).findings];
}

describe('svc validate and svc simulate', () => {
  const broken: [string, () => void, object][] = [
    [
      'is in Latin-1',
      () => write('project.yaml', Buffer.concat([Buffer.from('name: a\nsummary: '), LATIN_1])),
      { code: 'file_fault', line: 2, message: expect.stringContaining('is not UTF-8 text') },
    ],
    [
      'holds stray bytes in a comment',
      () => write('project.yaml', Buffer.from('name: a\n\n# \xff\xfe\n', 'latin1')),
      { code: 'file_fault', line: 3, message: expect.stringContaining('is not UTF-8 text') },
    ],
    [
      'is a link',
      () => {
        write('elsewhere.yaml', 'name: a\n');
        symlinkSync('elsewhere.yaml', path('project.yaml'));
      },
      { code: 'file_fault', message: expect.stringContaining('is a link') },
    ],
    [
      'is a link to a missing file',
      () => {
        mkdirSync(path('.'), { recursive: true });
        symlinkSync('nowhere', path('project.yaml'));
      },
      { code: 'file_fault', message: expect.stringContaining('is a link') },
    ],
    [
      'is a folder',
      () => mkdirSync(path('project.yaml'), { recursive: true }),
      { code: 'file_fault', message: expect.stringContaining('must be a regular file') },
    ],
    [
      'has a cron without quotes',
      () => write('project.yaml', trigger('{ prompt: x }').replace('"0 9 * * *"', '*/5 * * * *')),
      { code: 'yaml_fault', line: 3, message: expect.stringContaining('quote it: cron: "*/5 * *') },
    ],
  ];

  // proves: cli.validate.as-server
  it.each(broken)('reject a file that %s', async (_, make, finding) => {
    make();
    expect(await findings()).toEqual([1, [expect.objectContaining(finding)]]);
    const whole = await run('validate');
    expect(whole.code).toBe(1);
    expect((await run('simulate', 'demo')).code).toBe(1);
  });

  const prompts: [string, () => void][] = [
    ['does not exist', () => {}],
    ['is not UTF-8 text', () => write('.svc/triggers/a.md', LATIN_1)],
    ['is empty', () => write('.svc/triggers/a.md', '\uFEFF \n')],
    [
      'is a link',
      () => {
        write('b.md', 'Go.\n');
        mkdirSync(path('.svc/triggers'), { recursive: true });
        symlinkSync('../../b.md', path('.svc/triggers/a.md'));
      },
    ],
  ];

  // proves: cli.validate.as-server
  it.each(prompts)('reject an enabled trigger whose prompt file %s', async (fault, make) => {
    write('project.yaml', trigger(FILE));
    make();
    const message = expect.stringContaining(`names .svc/triggers/a.md, which ${fault}`);
    const finding = { code: 'unusable_prompt', line: 4, message };
    expect(await findings()).toEqual([1, [expect.objectContaining(finding)]]);
    const simulated = await run('simulate', 'demo', '--json');
    expect(JSON.parse(simulated.out)).toMatchObject({
      leftOut: [{ project: 'demo', name: 'a', reason: message }],
    });
    write('project.yaml', trigger(FILE, 'enabled: false'));
    expect(await findings()).toEqual([0, [expect.objectContaining({ code: 'warning', message })]]);
  });

  it('accept a prompt file with a byte order mark', async () => {
    write('project.yaml', trigger(FILE));
    write('.svc/triggers/a.md', '\uFEFF```bash\necho go\n```\n');
    expect(await findings()).toEqual([0, []]);
  });
});
