import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { until, withHome } from './harness.ts';

jest.setTimeout(60_000);

const PROJECT = `triggers:
  long:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nsleep 600\\n\`\`\`", tools: [Bash] }
    enabled: true
`;

describe('svc status', () => {
  // proves: cli.status
  it('shows what runs and what is paused, and no servers outside of a cluster', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', PROJECT);
      const server = await serve();
      const idle = await run('status');
      expect(idle.code).toBe(0);
      expect(idle.out).toMatch(/^svc \S+ at http:\/\/127\.0\.0\.1:\d+\nNo turns are running\.\n$/);
      await server.send('POST', '/api/projects/demo/triggers/long/run');
      await server.send('POST', '/api/pause', { reason: 'Moving.' });
      const busy = await until(async () => {
        const { out } = await run('status');
        return out.includes('Running: 1') && out;
      });
      expect(busy).toMatch(
        /^All triggers have been paused since .* by a user \(reason: Moving\)\./m,
      );
      expect(busy).toMatch(/^ {2}demo\/long, for \d+ s$/m);
      expect(busy).not.toContain('Servers');
    }));

  // proves: cli.status
  it('names what needs attention, as svc doctor and the metrics do', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', PROJECT.replace('12h', '12x'));
      write('projects/fine/project.yaml', PROJECT);
      write('projects/torn/project.yaml', 'triggers: [');
      const attention =
        /^Needs attention:\n {2}demo\/long: invalid\. .*\n {2}torn\/project\.yaml: cannot be read\. The file .*$/m;
      expect((await run('doctor')).out).toMatch(attention);
      const server = await serve();
      expect((await run('status')).out).toMatch(attention);
      expect((await run('doctor')).out).toMatch(attention);
      const metrics = String((await server.get('/metrics')).body);
      expect(metrics).toContain('\nsvc_invalid_triggers 2\n');
      expect(metrics).toContain('\nsvc_attention{kind="unreadable"} 1\n');
      expect(metrics).toContain('\nsvc_attention{kind="limited"} 0\n');
      write('projects/torn/project.yaml', PROJECT);
      write('projects/demo/project.yaml', PROJECT);
      await until(async () =>
        String((await server.get('/metrics')).body).includes('\nsvc_invalid_triggers 0\n'),
      );
      expect((await run('status')).out).not.toContain('Needs attention');
    }));

  // proves: cli.status
  it('svc doctor reads files as the service does when it does not run, and names those that are unusable', () =>
    withHome(async ({ home, write, run }) => {
      const project = (promptFile: string) =>
        `triggers: { a: { trigger: { type: schedule, interval: 12h }, run: { promptFile: ${promptFile} }, enabled: true } }\n`;
      write('projects/latin/project.yaml', '');
      writeFileSync(
        join(home, 'projects/latin/project.yaml'),
        Buffer.from('name: Caf\u00e9\n', 'latin1'),
      );
      write('elsewhere.yaml', PROJECT.replace('12h', '12x'));
      for (const slug of ['link', 'pipe']) mkdirSync(join(home, 'projects', slug));
      symlinkSync(join(home, 'elsewhere.yaml'), join(home, 'projects/link/project.yaml'));
      execFileSync('mkfifo', [join(home, 'projects/pipe/project.yaml')]);
      write('projects/blank/project.yaml', project('it.md'));
      write('projects/blank/.svc/triggers/it.md', ' \n');
      write('projects/outside/project.yaml', project('it.md'));
      write('triggers/it.md', 'Report.');
      mkdirSync(join(home, 'projects/outside/.svc'));
      symlinkSync(join(home, 'triggers'), join(home, 'projects/outside/.svc/triggers'));
      const { out } = await run('doctor');
      const lines = out.slice(out.indexOf('Needs attention:')).split('\n');
      const unusable = (slug: string, fault: string) =>
        `  ${slug}/a: will fail. run.promptFile names .svc/triggers/it.md, which ${fault} Every run fails until this is fixed.`;
      const unreadable = (slug: string) =>
        expect.stringMatching(`^  ${slug}/project\\.yaml: cannot be read\\. The file `);
      expect(lines.slice(0, 6)).toEqual([
        'Needs attention:',
        unusable('blank', 'is empty.'),
        expect.stringContaining('is not UTF-8 text'),
        unreadable('link'),
        expect.stringContaining('outside/a: will fail. '),
        unreadable('pipe'),
      ]);
    }));

  // proves: commands.settings-older
  it('svc doctor reports that the settings file has changed since the start', () =>
    withHome(async ({ home, write, run, serve }) => {
      write('projects/demo/project.yaml', PROJECT);
      const older = 'svc.config.yaml changed after the service started';
      await serve();
      expect((await run('doctor')).out).not.toContain(older);
      write('svc.config.yaml', 'log: { level: debug }\n');
      const soon = new Date(Date.now() + 5000);
      utimesSync(join(home, 'svc.config.yaml'), soon, soon);
      expect((await run('doctor')).out).toContain(older);
    }));

  // proves: firing.clock.own-zone
  it('reports an unknown time zone, as the log and svc doctor do', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', PROJECT.replace('interval: 12h', 'cron: 0 12 * * *'));
      const server = await serve({ TZ: 'Europe/Berln' });
      const warning =
        'TZ="Europe/Berln" is not a time zone, so UTC is used. Set TZ to an IANA name such as "Europe/Berlin".';
      const timezone = { name: 'UTC', warning };
      expect((await server.get('/api/status')).body).toMatchObject({ timezone });
      expect(server.lines).toContainEqual(
        expect.objectContaining({
          ...{ level: 40, msg: 'invalid time zone, using UTC' },
          ...{ zone: 'UTC', reason: warning },
        }),
      );
      const { body } = await server.get('/api/projects/demo/triggers');
      expect(body).toMatchObject({ triggers: [{ schedule: { timezone: 'UTC' } }] });
      expect((await run('status')).out).toContain(`\ntime zone: ${warning}\n`);
      expect((await run('doctor')).out).toContain(`\ntime zone: ${warning}\n`);
    }));

  // proves: cli.status
  it('--json prints the answer of GET /api/status', () =>
    withHome(async ({ run, serve }) => {
      const server = await serve();
      const { code, out } = await run('status', '--json');
      const shown = JSON.parse(out) as { nodes: { heartbeatAt: string }[] };
      const { body } = await server.get('/api/status');
      const { nodes } = body as typeof shown;
      const still = nodes.map((node) => ({ ...node, heartbeatAt: shown.nodes[0]?.heartbeatAt }));
      expect([code, shown]).toEqual([0, { ...(body as object), nodes: still }]);
    }));

  it('sees that a server was killed, although its process was not reaped', () =>
    withHome(async ({ write, run }) => {
      write('projects/demo/project.yaml', PROJECT);
      // The background process has ended, and the shell that continues does not reap it.
      const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], { stdio: 'pipe' });
      try {
        const [first] = await once(parent.stdout, 'data');
        const pid = Number(String(first).trim());
        await until(async () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
        const instance = { url: 'http://127.0.0.1:1', secret: 'x', pid, certificate: null };
        write('data/instance.json', JSON.stringify(instance));
        expect((await run('status')).error).toContain('No server is running for this home');
        expect((await run('runs')).code).toBe(0);
      } finally {
        parent.kill('SIGKILL');
      }
    }));

  // proves: cli.status
  it('fails when no server runs', () =>
    withHome(async ({ write, run }) => {
      write('projects/demo/project.yaml', PROJECT);
      expect(await run('status')).toMatchObject({
        code: 1,
        error: expect.stringContaining('No server is running for this home'),
      });
      expect((await run('status', 'now')).code).toBe(2);
    }));
});
