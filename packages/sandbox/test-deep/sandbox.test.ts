import {
  chownSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { SandboxUser } from '../src/index.ts';
import { inWorld, sh, until, users, type World } from './world.ts';

const host = await new Promise<{ readonly supported: boolean; readonly reason?: string }>(
  (resolve) => {
    void inWorld(null, async (world) => resolve(await world.host.support()));
  },
);

describe('this machine', () => {
  it('runs sandboxes', () => {
    expect(host).toEqual({
      supported: true,
      limits: expect.stringMatching(/^(?:cgroup|sums)$/),
      refusesKeys: true,
    });
  });
});

describe.each(users)('a sandbox of %s', (_name, user) => {
  it('sees the system and the project, and nothing else of this machine', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const seen = await sh(
        sandbox,
        `ls -A / /home /root "${world.base}"; cat ${world.outside}/secret`,
      );
      expect(seen.output).toContain('No such file or directory');
      expect(seen.output).not.toContain('a secret');
      expect(await sh(sandbox, `ls "${world.base}"`)).toEqual({ code: 0, output: 'project' });
      expect(
        await sh(sandbox, 'cat notes.md && git status --short notes.md && node -p 1+1'),
      ).toEqual({
        code: 0,
        output: 'notes\n?? notes.md\n2',
      });
    }));

  it('has a copy of what every user may read in /etc', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const listed = await sh(sandbox, 'ls /etc; touch /etc/passwd');
      expect(listed.output.split('\n')).toEqual(expect.arrayContaining(['passwd', 'group']));
      for (const name of ['shadow', 'gshadow', 'shadow-'])
        expect(listed.output.split('\n')).not.toContain(name);
      expect(listed.output).toMatch(/cannot touch '\/etc\/passwd'/);
    }));

  it('has no rights, gains none, and can create no namespace', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const status = await sh(
        sandbox,
        'grep -E "^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)" /proc/self/status',
      );
      expect(status.output.split(/\s+/).filter((word) => /^\d+$/.test(word))).toEqual([
        ...Array<string>(4).fill('0'.repeat(16)),
        '1',
      ]);
      for (const attempt of [
        'unshare -Ur true',
        'unshare -m true',
        'mount -t tmpfs none /tmp',
        'umount /proc',
      ]) {
        expect((await sh(sandbox, attempt)).code).not.toBe(0);
      }
      expect((await sh(sandbox, `nsenter --target 1 --mount true`)).code).not.toBe(0);
    }));

  it('can change no setting of the kernel', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
      const limit = readFileSync('/proc/sys/kernel/pid_max', 'utf8');
      const attempts = ['sys/kernel/core_pattern', 'sys/user/max_user_namespaces', 'sysrq-trigger'];
      for (const file of attempts) {
        expect((await sh(sandbox, `echo 5 > /proc/${file}`)).code).not.toBe(0);
      }
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
      // The sandbox's own limit of processes must not be that of this machine.
      expect(readFileSync('/proc/sys/kernel/pid_max', 'utf8')).toBe(limit);
    }));

  it('sees only its own processes, without the environment or descriptors of the service', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const seen = await sh(
        sandbox,
        'cat /proc/[0-9]*/environ | tr "\\0" "\\n"; ls -l /proc/[0-9]*/fd',
      );
      expect(seen.output).not.toContain(world.base.concat('/data/state'));
      expect(seen.output).not.toMatch(/npm_|JEST|SVC_/);
      // Only pipes, sockets and devices: a folder of this machine would lead out.
      const targets = [...seen.output.matchAll(/ \d+ -> (\S+)/g)].map(([, target]) => target);
      expect(
        targets.filter(
          (target) => !/^(?:socket:|pipe:|anon_inode:|\/dev\/|\/proc\/)/.test(target ?? ''),
        ),
      ).toEqual([]);
      const numbers = await sh(sandbox, 'ls /proc | grep -c "^[0-9]"');
      expect(Number(numbers.output)).toBeLessThan(10);
    }));

  it('cannot write protected paths, nor move what contains them', () =>
    inWorld(user, async (world) => {
      await mkdir(join(world.project, '.svc'));
      const sandbox = await world.open();
      const attempts = [
        ...[
          'echo x > project.yaml',
          'mv project.yaml x',
          'rm project.yaml',
          'ln -f notes.md project.yaml',
        ],
        ...['touch .claude/x', 'mv .claude x', 'rm -r .claude', 'touch .svc/x', 'rmdir .svc'],
        ...[
          'echo x >> .git/config',
          'touch .git/hooks/pre-commit',
          'mv .git x',
          'mv .git/hooks .git/x',
        ],
        ...['git config core.hooksPath /tmp', 'chmod +x .git/hooks/pre-commit.sample'],
      ];
      for (const attempt of attempts) {
        expect([attempt, (await sh(sandbox, attempt)).code]).not.toEqual([attempt, 0]);
      }
      expect(await readFile(join(world.project, 'project.yaml'), 'utf8')).toBe('name: first\n');
      expect(await sandbox.close()).toEqual({ created: [], movedTo: null });
    }));

  it('commits, and installs no hook that a person would run', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const commit = 'git -c user.name=a -c user.email=a@b commit -qm first notes.md';
      expect(await sh(sandbox, `git add notes.md && ${commit} && git log --format=%s`)).toEqual({
        code: 0,
        output: 'first',
      });
    }));

  it('moves protected paths that it created away, and reports them', () =>
    inWorld(user, async (world) => {
      await rm(join(world.project, '.claude'), { recursive: true });
      const sandbox = await world.open();
      expect(readdirSync(world.project).sort()).toEqual(['.git', 'notes.md', 'project.yaml']);
      await sh(
        sandbox,
        'mkdir .claude && echo x > .claude/settings.json; ln -s / .svc; echo / > .git/commondir',
      );
      await until(() => !existsSync(join(world.project, '.git/commondir')));
      const { created, movedTo } = await sandbox.close();
      expect(created).toEqual(['.claude', '.git/commondir', '.svc']);
      expect(readdirSync(world.project).sort()).toEqual(['.git', 'notes.md', 'project.yaml']);
      expect(readFileSync(join(movedTo ?? '', '.claude/settings.json'), 'utf8')).toBe('x\n');
    }));

  it.each([
    ['mkdir -p .git/hooks && echo evil > .git/hooks/post-commit', ['.git/hooks']],
    ['git init -q && git config core.fsmonitor evil', ['.git/config']],
    ['git init -q && printf "[include]\\n\\tpath = evil\\n" >> .git/config', ['.git/config']],
    ['git init -q && git remote add x "ext::sh -c evil"', ['.git/config']],
    ['echo "gitdir: evil" > .git', ['.git']],
    ['mkdir evil && ln -s evil .git', ['.git']],
  ])('leaves nothing of its own that git would run: %s', (command, created) =>
    inWorld(user, async (world) => {
      await rm(join(world.project, '.git'), { recursive: true });
      const sandbox = await world.open();
      expect(await sh(sandbox, command)).toMatchObject({ code: 0 });
      expect((await sandbox.close()).created).toEqual(created);
      for (const path of created) expect(existsSync(join(world.project, path))).toBe(false);
    }),
  );

  it('may create a repository where there is none', () =>
    inWorld(user, async (world) => {
      await rm(join(world.project, '.git'), { recursive: true });
      const sandbox = await world.open();
      expect((await sh(sandbox, 'git init -q && git config user.name x')).code).toBe(0);
      expect((await sandbox.close()).created).toEqual([]);
      expect(existsSync(join(world.project, '.git/config'))).toBe(true);
    }));

  it.each(['.git', '.claude', 'project.yaml'])('is refused if %s is a link', (path) =>
    inWorld(user, async (world) => {
      await rm(join(world.project, path), { recursive: true });
      await symlink(world.outside, join(world.project, path));
      const opened = await world.host.open(world.spec);
      expect(opened).toMatchObject({
        ok: false,
        error: expect.stringContaining(`${path} in the project folder is a link`),
      });
    }),
  );

  it('changes nothing in a folder that is read-only', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open({ writable: false });
      expect((await sh(sandbox, 'touch x')).code).not.toBe(0);
      expect((await sh(sandbox, 'echo x >> notes.md')).code).not.toBe(0);
      expect(await sh(sandbox, 'cat notes.md; echo y > /tmp/y && cat /tmp/y')).toEqual({
        code: 0,
        output: 'notes\ny',
      });
    }));

  it('keeps its home folder, but not its temporary files', () =>
    inWorld(user, async (world) => {
      const first = await world.open();
      await sh(first, 'echo kept > ~/file; echo gone > /tmp/file');
      await first.close();
      const second = await world.open();
      expect(await sh(second, 'cat ~/file; ls -A /tmp | grep -c file')).toMatchObject({
        output: 'kept\n0',
      });
    }));

  it('links logins into its home folder', () =>
    inWorld(user, async (world) => {
      const login = join(world.outside, '../login');
      await mkdir(login);
      await writeFile(join(login, 'token'), 'for the agent');
      const sandbox = await world.open({ homeLinks: [{ at: '.config/agent', from: login }] });
      expect(await sh(sandbox, 'cat ~/.config/agent/token')).toEqual({
        code: 0,
        output: 'for the agent',
      });
    }));

  it('links no login that does not exist', () =>
    inWorld(user, async (world) => {
      const from = join(world.outside, '../missing');
      const sandbox = await world.open({ homeLinks: [{ at: '.config/agent', from }] });
      expect(await sh(sandbox, 'mkdir -p ~/.config/agent && ls -A ~/.config')).toEqual({
        code: 0,
        output: 'agent',
      });
    }));

  it('hides paths within what it may read, under every name', () =>
    inWorld(
      user,
      async (world) => {
        await mkdir(join(world.project, 'private'));
        await writeFile(join(world.project, 'private/key'), 'a key');
        const sandbox = await world.open();
        expect(
          (await sh(sandbox, `cat ${world.outside}/secret; ls ${world.outside}`)).output,
        ).not.toContain('secret of');
        expect(await sh(sandbox, `ls ${world.base}`)).toMatchObject({ code: 0 });
      },
      { readOnly: [join(process.env['TMPDIR'] ?? '/tmp')] },
    ));

  it('has only the ports that it is given, on its own loopback interface', () =>
    inWorld(user, async (world) => {
      const service = createServer((_request, response) => response.end('the service'));
      await new Promise<void>((resolve) => {
        service.listen(0, '127.0.0.1', () => resolve());
      });
      const { port } = service.address() as { readonly port: number };
      const own = createServer((request, response) => response.end(`own ${request.url}`));
      const sandbox = await world.open({
        network: [{ port: 3128, accept: (socket) => own.emit('connection', socket) }],
      });
      const get = (url: string): string =>
        `node -e 'fetch("${url}").then((r) => r.text()).then(console.log, (e) => console.log(e.cause.code))'`;
      expect((await sh(sandbox, get('http://127.0.0.1:3128/x'))).output).toBe('own /x');
      expect((await sh(sandbox, get(`http://127.0.0.1:${port}/`))).output).toBe('ECONNREFUSED');
      expect((await sh(sandbox, get('http://169.254.169.254/'))).output).toMatch(
        /ENETUNREACH|EHOSTUNREACH/,
      );
      expect((await sh(sandbox, get('http://example.com/'))).output).toMatch(/EAI_AGAIN|ENOTFOUND/);
      service.close();
    }));

  it('reaches no socket of this machine, by file or by name', () =>
    inWorld(user, async (world) => {
      const paths = [join(world.outside, 'docker.sock'), '\0svc-abstract-test'];
      const servers = paths.map((path) =>
        createSocketServer((socket) => socket.end('reached')).listen(path),
      );
      const sandbox = await world.open();
      for (const path of paths) {
        const connect = `node -e 'require("net").connect({path: ${JSON.stringify(path)}}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
        expect((await sh(sandbox, connect)).output).toMatch(/ENOENT|ECONNREFUSED/);
      }
      for (const server of servers) server.close();
    }));
});

describe.each(users)('while a sandbox of %s runs', (_name, user) => {
  const attack =
    'i=0; while :; do i=$((i+1)); echo $i > count; echo evil > project.yaml; mv x project.yaml; done 2>/dev/null';

  it('replacing a protected file leaves no moment in which the agent can change it', () =>
    inWorld(user, async (world) => {
      const file = join(world.project, 'project.yaml');
      const sandbox = await world.open();
      const attacks = [sh(sandbox, attack), sh(sandbox, attack)];
      await until(() => existsSync(join(world.project, 'count')));
      for (let round = 0; round < 40; round += 1) {
        const text = `round: ${round}\n`;
        await world.host.replace(file, async () => {
          await writeFile(join(world.project, '.new'), text);
          await rename(join(world.project, '.new'), file);
          // A command that starts meanwhile waits.
          if (round % 10 === 0) attacks.push(sh(sandbox, attack));
        });
        expect(readFileSync(file, 'utf8')).toBe(text);
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect(readFileSync(file, 'utf8')).toBe(text);
      }
      await sandbox.close();
      await Promise.all(attacks);
    }));

  it('replacing a protected file also pauses commands that are just being started', () => {
    // Commands take longer to start than the sandbox takes to pause.
    const slowly = 'case "$*" in *setsid*) sleep 0.1;; esac; exec "$@"';
    const slow: SandboxUser = {
      ...(user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }),
      prefix: ['/bin/sh', '-c', slowly, 'sh', ...(user?.prefix ?? [])],
    };
    return inWorld(
      user,
      async (world) => {
        const file = join(world.project, 'project.yaml');
        const sandbox = await world.open();
        const attacks: Promise<unknown>[] = [];
        const attacked = 'for i in $(seq 300); do echo evil > project.yaml; done 2>/dev/null';
        for (let round = 0; round < 3; round += 1) {
          const text = `round: ${round}\n`;
          attacks.push(sh(sandbox, attacked));
          const replaced = world.host.replace(file, async () => {
            await writeFile(join(world.project, '.new'), text);
            await rename(join(world.project, '.new'), file);
            await new Promise((resolve) => setTimeout(resolve, 200));
          });
          attacks.push(sh(sandbox, attacked));
          await replaced;
          expect(readFileSync(file, 'utf8')).toBe(text);
        }
        await Promise.all(attacks);
        expect(readFileSync(file, 'utf8')).toBe('round: 2\n');
      },
      { user: slow },
    );
  });

  it('protects a file again after another program replaced it', () =>
    inWorld(user, async (world) => {
      const file = join(world.project, 'project.yaml');
      const sandbox = await world.open();
      writeFileSync(join(world.project, '.new'), 'name: edited\n');
      renameSync(join(world.project, '.new'), file);
      await until(async () => (await sh(sandbox, 'echo evil > project.yaml')).code !== 0);
      expect((await sh(sandbox, 'mv project.yaml x')).code).not.toBe(0);
      expect((await sandbox.close()).created).toEqual([]);
    }));

  describe('trusts the content of a protected file', () => {
    const save = (world: World, text: string): void => {
      const staged = join(world.base, 'staged');
      writeFileSync(staged, text);
      if (user !== null) chownSync(staged, user.uid, user.gid);
      renameSync(staged, join(world.project, 'project.yaml'));
    };
    const trusts = async ({ project, host }: World): Promise<boolean> => {
      const file = join(project, 'project.yaml');
      return host.isTrusted(file, readFileSync(file));
    };

    const expectNoOther = async (world: World, trusted: string): Promise<void> => {
      const file = join(world.project, 'project.yaml');
      const content = readFileSync(file);
      if (await world.host.isTrusted(file, content)) expect(content.toString()).toBe(trusted);
    };

    it('that another program wrote into the file, or that replaced it through the host', () =>
      inWorld(user, async (world) => {
        await world.open();
        expect(await trusts(world)).toBe(true);
        writeFileSync(join(world.project, 'project.yaml'), 'name: written\n');
        expect(await trusts(world)).toBe(true);
        const file = join(world.project, 'project.yaml');
        await world.host.replace(file, async () => save(world, 'name: replaced\n'));
        expect(await trusts(world)).toBe(true);
        writeFileSync(file, 'name: written again\n');
        expect(await trusts(world)).toBe(true);
      }));

    it('not if another program replaced it, until a person confirms it', () =>
      inWorld(user, async (world) => {
        const sandbox = await world.open();
        const file = join(world.project, 'project.yaml');
        save(world, 'name: replaced\n');
        expect(await trusts(world)).toBe(false);
        await world.host.confirm(file, Buffer.from('name: another\n'));
        expect(await trusts(world)).toBe(false);
        await sandbox.close();
        expect(await trusts(world)).toBe(false);
        await world.host.confirm(file, readFileSync(file));
        expect(await trusts(world)).toBe(true);
        writeFileSync(file, 'name: after the sandbox\n');
        expect(await trusts(world)).toBe(true);
      }));

    it('not if the sandbox changed it through another link', () =>
      inWorld(user, async (world) => {
        const file = join(world.project, 'project.yaml');
        linkSync(file, join(world.project, 'link'));
        const sandbox = await world.open();
        expect(await trusts(world)).toBe(true);
        expect(await sh(sandbox, 'echo evil > link')).toMatchObject({ code: 0 });
        expect(readFileSync(file, 'utf8')).toBe('evil\n');
        expect(await trusts(world)).toBe(false);
        await sandbox.close();
        expect(await trusts(world)).toBe(false);
      }));

    it('only if it is what came from outside, whatever the sandbox attempts', () =>
      inWorld(user, async (world) => {
        const file = join(world.project, 'project.yaml');
        const sandbox = await world.open();
        const inPlace =
          'while :; do echo evil > project.yaml; exec 3<>project.yaml; echo evil >&3; done 2>/dev/null';
        const attacks = [sh(sandbox, attack), sh(sandbox, inPlace)];
        await until(() => existsSync(join(world.project, 'count')));
        let trusted = 'name: first\n';
        for (let round = 1; round <= 15; round += 1) {
          const text = `round: ${round}\n`;
          if (round % 3 > 0) save(world, text);
          else {
            trusted = text;
            await world.host.replace(file, async () => save(world, text));
            expect(await trusts(world)).toBe(true);
          }
          for (let look = 0; look < 3; look += 1) await expectNoOther(world, trusted);
        }
        save(world, 'round: last\n');
        await sandbox.close();
        await Promise.all(attacks);
        await expectNoOther(world, trusted);
        expect(await world.host.isTrusted(file, Buffer.from('evil\n'))).toBe(false);
      }));
  });

  it('is not opened if the folder above its state was moved away, which stays missing', () =>
    inWorld(user, async (world) => {
      await (await world.open()).close();
      const data = join(world.base, 'data');
      await rename(data, join(world.base, 'away'));
      const opened = await world.host.open(world.spec);
      const error = `The sandbox could not be started: the folder ${data} does not exist.`;
      expect(opened).toEqual({ ok: false, error });
      expect(existsSync(data)).toBe(false);
      await rename(join(world.base, 'away'), data);
    }));

  it('no process outlives it', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const mark = `9${Date.now()}`;
      const leave = `sleep ${mark} & setsid sleep ${mark} & (setsid sh -c "sleep ${mark} & wait" &)`;
      await sh(sandbox, `(${leave}) >/dev/null 2>&1`);
      const running = (): number =>
        readdirSync('/proc').filter((name) => {
          try {
            return (
              /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark)
            );
          } catch {
            return false;
          }
        }).length;
      await until(() => running() >= 3);
      await sandbox.close();
      expect(running()).toBe(0);
    }));

  it('ends with a command that stopped itself', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const stopped = sh(sandbox, 'touch started; kill -STOP 0; kill -STOP $$');
      await until(() => existsSync(join(world.project, 'started')));
      await sandbox.close();
      expect((await stopped).code).not.toBe(0);
    }));

  it('tells when it ended early', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      void sh(sandbox, 'kill -9 -1');
      expect(await sandbox.ended).toBe('The sandbox of the turn ended unexpectedly.');
      expect(() => sandbox.spawn('/bin/true', [], { env: {}, stdio: 'ignore' })).toThrow(
        'The sandbox has ended.',
      );
    }));

  it('ends at its limit of memory', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const hog = sh(
        sandbox,
        'node -e "const a = []; for (;;) a.push(Buffer.alloc(16 << 20, 1));"',
      );
      expect(await sandbox.ended).toMatch(
        /^The processes of the turn used \d+ MiB of memory; the limit is 512 MiB/,
      );
      expect((await hog).code).not.toBe(0);
    }));

  it('survives a fork bomb, and ends at its limit of processes', () =>
    inWorld(
      user,
      async (world) => {
        const sandbox = await world.open();
        const bomb = sh(sandbox, 'bomb() { bomb | bomb & }; bomb; wait');
        expect(await sandbox.ended).toMatch(
          /^The turn had \d+ processes and threads; the limit is 60/,
        );
        await bomb;
        await sandbox.close();
        expect(await sh(await world.open(), 'echo alive')).toEqual({ code: 0, output: 'alive' });
      },
      { limits: { memoryBytes: 2 ** 30, processes: 60, cpuMs: null } },
    ));

  it('ends at its limit of CPU time, also if it is used by many short commands', () =>
    inWorld(
      user,
      async (world) => {
        const sandbox = await world.open();
        void sh(sandbox, 'while :; do /bin/true; done');
        expect(await sandbox.ended).toMatch(/CPU time; the limit is 1 s/);
      },
      { limits: { memoryBytes: 2 ** 30, processes: 200, cpuMs: 1000 } },
    ));

  it('is no loss for the limits of others: temporary files are limited as well', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const filled = await sh(sandbox, 'head -c 900M /dev/zero > /tmp/big; ls -s /tmp/big');
      expect(filled.output).toMatch(/No space left|Cannot allocate/);
    }));
});
