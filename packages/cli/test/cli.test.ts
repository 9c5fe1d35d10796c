import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { optionsOf } from '../src/command.ts';
import {
  COMMANDS,
  type Command,
  createCli,
  type ExitCode,
  FILE_COMMANDS,
  UsageError,
} from '../src/index.ts';
import { createLocalHome } from './local-home.ts';

const ALL = [...FILE_COMMANDS, ...COMMANDS];
const never = new Promise<void>(() => {});

/** A command that prints its arguments and options. */
const echo: Command = {
  name: 'echo',
  group: 'Act',
  summary: 'print what is given',
  arguments: { KIND: ['one', 'two'], '[PROJECT]': 'project' },
  takes: 'a kind and a project.',
  options: { '--limit N': 'a number', '-f, --fast': 'no wait', '--cost USD...': 'costs' },
  description: `
Print what is given.
Twice.

  svc echo one`,
  json: 'everything.',
  async run({ arguments: given, options, repeated, terminal }) {
    if (options['limit'] === '0') throw new UsageError('--limit must be at least 1.');
    if (options['limit'] === '1') throw new Error('a\nb');
    terminal.out(JSON.stringify({ given, options, repeated }));
    return 0;
  },
};

interface Said {
  readonly code: ExitCode;
  readonly out: string;
  readonly error: string;
}

async function svc(words: readonly string[], columns: number | null = null): Promise<Said> {
  const out: string[] = [];
  const error: string[] = [];
  const add = (line: string): void => void out.push(line);
  const cli = createCli({
    commands: [...ALL, echo],
    contextOf: async (line) => ({ ...line, ...createLocalHome(), env: {} }),
    ...{ version: '1.2.3', stopRequested: never, stopAtOnce: never },
    terminal: {
      ...{ isTerminal: columns !== null, columns, hasColors: false, out: add, colored: add },
      error: (line) => void error.push(line),
    },
  });
  const code = await cli.run(words);
  return { code, out: out.join('\n'), error: error.join('\n') };
}

describe('a command line', () => {
  it.each([
    [
      ['echo', 'one', 'hello', '--limit=5', '-f'],
      { given: ['one', 'hello'], options: { limit: '5', fast: true }, repeated: {} },
    ],
    [
      ['--cost', '1', 'echo', '--cost', 'a=2', 'two'],
      { given: ['two'], options: {}, repeated: { cost: ['1', 'a=2'] } },
    ],
    [
      ['--json', '--limit', 'echo', 'echo', 'one', '--', '--fast'],
      { given: ['one', '--fast'], options: { json: true, limit: 'echo' }, repeated: {} },
    ],
  ])('%j is parsed, with options anywhere', async (words, parsed) => {
    const said = await svc(words);
    expect([said.error, JSON.parse(said.out)]).toEqual(['', parsed]);
  });

  it.each([
    [['echo'], 2, 'echo takes a kind and a project. See svc --help.'],
    [['echo', 'one', 'a', 'b'], 2, 'echo takes a kind and a project. See svc --help.'],
    [['echo', 'three'], 2, 'echo takes a kind and a project. See svc --help.'],
    [['echo', 'one', '--limt', '3'], 2, "unknown option '--limt'. Did you mean --limit? See"],
    [['echo', 'one', '--level', 'x'], 2, 'echo has no option --level. See svc --help.'],
    [['echo', 'one', '--limit'], 2, "option '--limit N' argument missing. See svc --help."],
    [['echo', 'one', '--fast=yes'], 2, "option '--fast' does not take a value. See"],
    [['echo', 'one', '--limit', '0'], 2, '--limit must be at least 1. See svc --help.'],
    [['echo', 'one', '--limit', '1'], 1, 'internal error: a b'],
    [['help', 'eco'], 2, 'unknown command eco. Did you mean echo? See svc --help.'],
    [['--nonsense'], 2, "unknown option '--nonsense'. See svc --help."],
    [['pause', 'x'], 2, 'pause takes no arguments. Give a reason with --reason TEXT.'],
  ])('%j is refused in one line', async (words, code, error) => {
    const said = await svc(words);
    expect(said).toEqual({ code, out: '', error: expect.stringContaining(`svc: ${error}`) });
  });

  it('prints its version, with and without a command', async () => {
    for (const words of [['-v'], ['--version'], ['echo', '--version']])
      expect(await svc(words)).toEqual({ code: 0, out: '1.2.3', error: '' });
  });
});

describe('the help', () => {
  it('lists all commands in groups, with a verb first', async () => {
    const { out } = await svc(['--help']);
    expect((await svc(['help'])).out).toBe(out);
    for (const { name, summary } of ALL)
      expect(out).toMatch(new RegExp(`^  ${name}( .*)? ${summary}$`, 'm'));
    expect(out).toMatch(/^Act\n {2}fire PROJECT TRIGGER/m);
    expect(out).toContain('Exit codes: 0 success, 1 failure, 2 usage error.');
  });

  it('of a command has its arguments, options, examples and JSON', async () => {
    const { out } = await svc(['help', 'echo']);
    expect((await svc(['echo', '-h'])).out).toBe(out);
    expect(out).toMatch(/^Usage: svc echo KIND \[PROJECT\] \[options\]$/m);
    expect(out).toMatch(/^Print what is given\. Twice\.$/m);
    expect(out).toMatch(/^ {2}svc echo one$/m);
    expect(out).toMatch(/^ {2}-f, --fast +no wait$/m);
    expect(out).toMatch(/^ {2}--limit N +a number$/m);
    expect(out).toMatch(/^With --json: everything\.$/m);
  });

  it.each(ALL.map(({ name }) => name))('of %s fits the terminal', async (name) => {
    const { out } = await svc(['help', name], 80);
    for (const line of out.split('\n').filter((text) => !text.startsWith('  ')))
      expect(line.length).toBeLessThanOrEqual(80);
    for (const option of optionsOf(ALL.find((one) => one.name === name) ?? echo))
      expect(out).toContain(`--${option.name}`);
  });
});

describe('completion', () => {
  it.each([
    [['ec'], ['echo']],
    [
      ['echo', ''],
      ['one', 'two'],
    ],
    [['echo', 'one', 'al'], ['alpha']],
    [['--limit', '3', 'echo', '--li'], ['--limit']],
    [['logs', '--level', 'w'], ['warn']],
    [['nothing', ''], []],
  ])('%j becomes %j', async (words, found) => {
    expect((await svc(['__complete', ...words])).out).toBe(found.join('\n'));
  });
});

describe('a command for the service', () => {
  it('uses the home in this process if no server runs', async () => {
    const { code, out } = await svc(['triggers', 'alpha', '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, { triggers: [] }]);
    expect(await svc(['chats', 'alphs'])).toMatchObject({
      code: 1,
      error: 'svc: There is no project alphs. Did you mean alpha?',
    });
  });

  it('says so if it needs a server', async () => {
    const error = 'svc: No server is running for this home. Start one with svc serve.';
    expect(await svc(['status'])).toEqual({ code: 1, out: '', error });
  });
});

describe('a command for files', () => {
  it('checks the files of all projects', async () => {
    const { code, out } = await svc(['validate']);
    expect(code).toBe(1);
    expect(out).toContain('beta/project.yaml:4:38 invalid_trigger broken: ');
    expect(out).toContain('2 files checked: 1 error, ');
  });

  it('checks one project', async () => {
    const { out } = await svc(['validate', 'alpha', '--json']);
    expect(JSON.parse(out)).toMatchObject({ files: 1, errors: 0 });
  });

  it('shows when a schedule runs', async () => {
    const { code, out } = await svc(['preview', '90m', '--count', '2']);
    expect([code, out.split('\n').length]).toEqual([0, 4]);
  });

  it('creates tokens and checks clients', async () => {
    const { code, out, error } = await svc(['token', 'new', 'ci']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^tok_\w+\nSVC_TOKEN_CI=tok_\w+\nci: /)]);
    expect(error).toContain('under managementApi.clients in /home/svc.config.yaml');
    expect(await svc(['token', 'check'])).toMatchObject({ code: 1 });
  });

  it('shows what an import would write', async () => {
    const file = fileURLToPath(new URL('crontab', import.meta.url));
    const { code, out } = await svc(['import', 'crontab', file, '--project', 'alpha', '--dry-run']);
    expect(code).toBe(0);
    expect(out).toContain('alpha/backup: 0 3 * * *');
  });
});
