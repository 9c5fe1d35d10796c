import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { fire, transcript, writeProject, writeSettings } from '../test/agents.ts';
import { BIN, type TestHome, withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const OTHER_ID = '65534';
const SECRET = 'known-to-the-service-alone';
const LEFT = 'sleep 87654321';
const isRoot = process.getuid?.() === 0;
// Without capabilities and any way to gain them, as in the systemd unit. Other users run svc as themselves.
const through = [
  'setpriv',
  ...(isRoot ? [`--reuid=${OTHER_ID}`, `--regid=${OTHER_ID}`, '--clear-groups'] : []),
  ...(isRoot ? ['--bounding-set=-all'] : []),
  ...['--inh-caps=-all', '--no-new-privs'],
];

// The other user may not be able to read these files.
const started = spawnSync('setpriv', [...through.slice(1), process.execPath, BIN, '--version'], {
  cwd: '/',
});

function give(home: TestHome): void {
  chmodSync(home.home, 0o700);
  if (isRoot) spawnSync('chown', ['-R', `${OTHER_ID}:${OTHER_ID}`, home.home]);
}

function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').includes(text);
    } catch {
      return false;
    }
  });
}

describe('svc as a user without capabilities', () => {
  it('runs agents in sandboxes, and svc doctor says so', () =>
    withHome(async (home) => {
      if (started.status !== 0) {
        process.stderr.write(`Not checked: svc does not start as ${OTHER_ID} here.\n`);
        return;
      }
      writeSettings(home, {
        agents: { sandbox: { mode: 'required' } },
        envFile: 'secret.env',
      });
      home.write('secret.env', `SVC_TOKEN_X=${SECRET}\n`);
      chmodSync(join(home.home, 'secret.env'), 0o600);
      const commands = [
        'cat /proc/[0-9]*/environ | tr "\\0" "\\n"',
        `cat ${home.home}/secret.env ${home.home}/svc.config.yaml ${home.home}/data/*`,
        'echo "changed: true" >> project.yaml',
        'mv project.yaml moved',
        'grep CapEff /proc/self/status',
        `(setsid ${LEFT} &) > /dev/null 2>&1`,
        'id -u; echo kept > notes.md',
      ];
      const prompt = `\`\`\`bash\n${commands.join('; ')}\n\`\`\`\n`;
      writeProject(home, { it: { prompt, model: 'playbook', tools: ['Bash'] } });
      const projectYaml = home.read('projects/demo/project.yaml');
      give(home);
      const server = await home.serveThrough(through, { SVC_TOKEN_Y: SECRET });
      const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      expect(status).not.toMatch(/^Uid:\s+0\s/m);

      const run = await fire(server, 'it');
      expect(run).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
      const messages = await transcript(server, run.sessionId);
      const printed = messages.filter(({ kind }) => kind === 'tool_result').map(({ text }) => text);
      expect(printed.join('\n')).toContain('CapEff:\t0000000000000000');
      expect(printed.join('\n')).not.toContain(SECRET);
      expect(printed.join('\n')).not.toContain('sandbox: ');
      expect(home.read('projects/demo/project.yaml')).toBe(projectYaml);
      expect(readdirSync(join(home.home, 'projects/demo')).sort()).toEqual([
        'notes.md',
        'project.yaml',
      ]);
      expect(processesWith(LEFT)).toEqual([]);
      expect((await server.get('/api/status')).body).toMatchObject({ sandboxLack: null });

      const [program = '', ...args] = [...through, process.execPath, BIN];
      const doctor = spawnSync(program, [...args, 'doctor', '--home', home.home], {
        ...{ cwd: '/', encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: home.home } },
      });
      expect(doctor.stdout).toContain('sandbox: available\n');
      expect({ code: doctor.status, error: doctor.stderr }).toEqual({ code: 0, error: '' });
      await server.stop();
      expect(existsSync(join(home.home, 'data/svc.db'))).toBe(true);
    }));
});
