import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BIN, type OpenHome, openHome, runCommand } from '../test/harness.ts';

jest.setTimeout(60_000);

const PROJECT = `name: Demo
triggers:
  works: { trigger: { type: schedule, interval: 12h }, run: { prompt: x } }
  "two words's": { trigger: { type: schedule, interval: 12h }, run: { prompt: x } }
  "*": { trigger: { type: schedule, interval: 12h }, run: { prompt: x } }
  wrong: { trigger: { type: schedule, cron: "0 9 * *" }, run: { prompt: x } }
`;

let home: OpenHome;
let env: Record<string, string>;
beforeAll(async () => {
  home = openHome();
  home.write('svc.config.yaml', '');
  home.write('projects/demo/project.yaml', PROJECT);
  home.write('work/crontab.txt', '');
  const bin = join(home.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(bin, 'svc'), 0o755);
  env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home.home, SVC_HOME: home.home, TERM: 'dumb' };
  for (const shell of ['fish', 'zsh', 'bash']) {
    const { out } = await runCommand(['completion', shell]);
    writeFileSync(join(home.home, `svc.${shell}`), out);
  }
});
afterAll(() => home.close());

const run = (program: string, args: string[]): string =>
  execFileSync(program, args, {
    ...{ env, cwd: join(home.home, 'work'), encoding: 'utf8' },
    // A shell that never exits would block everything else.
    timeout: 30_000,
  });

// No server runs: completion reads the files.
const CASES = [
  ['svc trig', ['triggers']],
  ['svc fire d', ['demo']],
  ['svc fire demo w', ['works', 'wrong']],
  ['svc fire demo tw', ["two words's"]],
  ['svc logs --lev', ['--level']],
  ['svc import crontab cron', ['crontab.txt']],
] as const;

describe('completion in fish', () => {
  // proves: commands.complete
  it.each(CASES)('%s becomes %j', (line, found) => {
    const script = `source ${join(home.home, 'svc.fish')}; complete -C ${JSON.stringify(line)}`;
    const out = run('fish', ['--no-config', '-c', script]);
    expect(out.split('\n').filter(Boolean).sort()).toEqual([...found]);
  });
});

describe('completion in zsh', () => {
  // The line after the tab key in an interactive shell, with the script autoloaded from a folder and sourced.
  const typed = (line: string, isAutoloaded: boolean): string => {
    const place = isAutoloaded
      ? `cp ${home.home}/svc.zsh ${home.home}/_svc; fpath=(${home.home} $fpath)`
      : ':';
    const source = isAutoloaded ? ':' : `source ${home.home}/svc.zsh`;
    const program = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z ${quoted(`PROMPT=; unsetopt zle_bracketed_paste; ${place}; autoload -Uz compinit; compinit -u -d ${home.home}/zcompdump; ${source}; show() { print -r -- "LINE[$BUFFER]" }; zle -N show; bindkey '^X' show; print READY`)}
zpty -r z out '*READY'$'\\r'
zpty -w -n z ${quoted(`${line}\t\x18`)}
zpty -r z out '*LINE\\[*\\]'
print -r -- "$out"`;
    const [, shown = ''] = /LINE\[(.*)\]/.exec(run('zsh', ['-f', '-c', program])) ?? [];
    return shown.trim();
  };
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

  // proves: commands.complete
  it.each([
    ['svc trig', 'svc triggers', false],
    ['svc fire d', 'svc fire demo', true],
    ['svc fire demo tw', "svc fire demo two\\ words\\'s", false],
    ['svc import crontab cron', 'svc import crontab crontab.txt', false],
  ])('%s becomes %s', (line, becomes, isAutoloaded) => {
    expect(typed(line, isAutoloaded)).toBe(becomes);
  });
});

describe('completion in bash', () => {
  const becomes = (...words: string[]): string => {
    const line = `COMP_WORDS=(svc ${words.join(' ')}); COMP_CWORD=${words.length}; _svc`;
    const script = `source ${home.home}/svc.bash; ${line}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['-c', script]);
  };

  // proves: commands.complete
  it('quotes names for the shell', () => {
    expect(becomes('fire', 'demo', 'tw')).toBe("two\\ words\\'s\n");
    // No name is expanded as a glob.
    expect(becomes('fire', 'demo', "'*'")).toBe('\\*\n');
    expect(becomes('fire', 'demo', '""')).toBe("works\ntwo\\ words\\'s\n\\*\nwrong\n");
  });
});
