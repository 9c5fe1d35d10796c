import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runCommand, withHome } from './harness.ts';

jest.setTimeout(60_000);

const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run:
      prompt: "\`\`\`bash\\npwd > where\\n\`\`\`"
      tools: [Bash]
`;

let shared: string;

beforeEach(() => {
  shared = mkdtempSync(join(tmpdir(), 'svc-shared-'));
});
afterEach(() => rmSync(shared, { recursive: true, force: true }));

const addProject = (folder: string): void => {
  mkdirSync(join(folder, 'demo'), { recursive: true });
  writeFileSync(join(folder, 'demo/project.yaml'), PROJECT);
};

describe('a configured projects folder', () => {
  // proves: settings.projects-dir
  it('is used by the service and every command', () =>
    withHome(async ({ home, write, serve, run }) => {
      addProject(shared);
      write('svc.config.yaml', `projects: { dir: ${shared} }\n`);
      expect(await run('validate')).toMatchObject({
        code: 0,
        out: expect.stringContaining('1 file checked: 0 errors'),
      });
      expect(await run('validate', 'demo')).toMatchObject({ code: 0 });
      expect(await run('fire', 'demo', 'it', '--wait')).toMatchObject({ code: 0 });
      expect(readdirSync(join(shared, 'demo')).sort()).toEqual(['project.yaml', 'where']);
      const server = await serve();
      expect((await server.get('/api/projects')).body).toMatchObject({
        projects: [{ slug: 'demo' }],
      });
      expect((await server.get('/api/settings')).body).toMatchObject({
        settings: { 'projects.dir': { value: shared, source: 'file' } },
      });
      await server.send('POST', '/api/projects', { name: 'Other' });
      expect(existsSync(join(shared, 'other'))).toBe(true);
      expect((await run('why', 'demo', 'it')).code).toBe(0);
      expect((await run('doctor')).out).toContain(`projects: ${shared}`);
      expect(existsSync(join(home, 'projects/demo'))).toBe(false);
    }));

  it('can be relative to the home, and set by the environment', () =>
    withHome(async ({ home, write, serve }) => {
      addProject(join(home, 'ours'));
      write('svc.config.yaml', 'projects: { dir: elsewhere }\n');
      const server = await serve({ SVC_PROJECTS_DIR: 'ours' });
      expect((await server.get('/api/projects')).body).toMatchObject({
        projects: [{ slug: 'demo' }],
      });
    }));

  // proves: settings.projects-dir
  it.each([
    [['serve']],
    [['serve', '--init']],
    [['init']],
    [['validate']],
    [['fire', 'demo', 'it']],
    [['pause']],
  ])('is not created by %j when it does not exist', (args) =>
    withHome(async ({ home, write, run }) => {
      const away = join(shared, 'not-mounted');
      write('svc.config.yaml', `projects: { dir: ${away} }\n`);
      expect(await run(...args)).toMatchObject({
        code: 1,
        error: `svc: The folder ${away} in projects.dir does not exist. Mount it, create it, or correct projects.dir.\n`,
      });
      expect([existsSync(away), existsSync(join(home, 'projects'))]).toEqual([false, false]);
    }),
  );

  it('is shown under its configured path', async () => {
    const home = join(shared, 'home');
    mkdirSync(home);
    const away = join(shared, 'away');
    expect(await runCommand(['serve', '--home', home], { SVC_PROJECTS_DIR: away })).toMatchObject({
      code: 1,
      error: `svc: The folder ${away} in SVC_PROJECTS_DIR does not exist. Mount it, create it, or correct SVC_PROJECTS_DIR.\n`,
    });
  });

  it('that does not exist is reported by svc doctor', () =>
    withHome(async ({ write, run }) => {
      const away = join(shared, 'not-mounted');
      write('svc.config.yaml', `projects: { dir: ${away} }\n`);
      expect(await run('doctor')).toMatchObject({
        code: 1,
        out: expect.stringContaining(`The folder ${away}`),
      });
    }));

  it('gets a sample project from svc init when it is empty', async () => {
    const home = join(shared, 'home');
    const projects = join(shared, 'projects');
    mkdirSync(projects);
    const env = { SVC_PROJECTS_DIR: projects };
    expect(await runCommand(['init', home], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Created ${home} with the project hello.`),
    });
    const files = ['project.schema.json', 'svc.config.schema.json', 'svc.config.yaml'];
    expect(readdirSync(home).sort()).toEqual(['data', ...files]);
    expect(await runCommand(['validate', 'hello', '--home', home], env)).toMatchObject({ code: 0 });
    expect(await runCommand(['init', home], env)).toMatchObject({
      code: 1,
      error: `svc: ${home} is already a home. Nothing was changed.\n`,
    });
  });

  it('is left unchanged by svc init when it contains projects', async () => {
    const home = join(shared, 'home');
    const projects = join(shared, 'projects');
    addProject(projects);
    expect(await runCommand(['init', home], { SVC_PROJECTS_DIR: projects })).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Created ${home} for the projects in ${projects}.`),
    });
    expect(readdirSync(projects)).toEqual(['demo']);
    expect(existsSync(join(home, 'svc.config.yaml'))).toBe(true);
  });
});
