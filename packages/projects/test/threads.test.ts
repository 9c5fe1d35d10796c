import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { createMemoryLogger } from '@svc/core/testing';
import { createProjects, type Projects, type ThreadSettings } from '@svc/projects';
import { openProject, parseProject } from '@svc/trigger-schema';
import { adds, PROJECT } from './harness.ts';

const script = new URL('../dist/worker.js', import.meta.url);

const LARGE = `# ${'x'.repeat(13_000)}
settings: { __proto__: { a: 1 }, constructor: 2 }
defaults: &defaults { prompt: Look }
triggers:
  one: { trigger: { type: schedule, cron: 0 3 * * *, __proto__: x }, run: *defaults, enabled: true }
  two: { trigger: { type: schedule }, run: { tools: [Nope] } }
  three: { trigger: { type: webhook } } # ours
schedules:
  old: { type: interval, interval: 6h, prompt: Hi }
`;

describe('large files', () => {
  let root = '';
  let logger = createMemoryLogger();
  let opened: Projects[] = [];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-threads-'));
    logger = createMemoryLogger();
    opened = [];
    write('small', PROJECT);
    write('large', LARGE);
  });
  afterEach(async () => {
    for (const projects of opened) await projects.close();
    rmSync(root, { recursive: true });
  });

  function write(slug: string, text: string): void {
    mkdirSync(join(root, slug), { recursive: true });
    writeFileSync(join(root, slug, 'project.yaml'), text);
  }

  function open(threads: Partial<ThreadSettings> = {}, onRead = () => {}): Projects {
    const deps = { clock: createSystemClock(), logger };
    const options = { root, validation: {}, threads: { script, ...threads }, onRead };
    const projects = createProjects(deps, options);
    opened.push(projects);
    return projects;
  }

  it('have the same content in a thread as without one', async () => {
    const parsed = parseProject(LARGE);
    const snapshot = await open().snapshot('large');
    expect(snapshot?.file).toEqual(parsed.ok && parsed.value);
    expect(Object.keys(snapshot?.file?.written.get('one') as object)).toEqual([
      'trigger',
      'run',
      'enabled',
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('are edited in a thread as without one', async () => {
    const projects = open();
    const edited = await projects.edit('large', adds('four'));
    const change = { put: 'four', record: { trigger: { type: 'webhook' }, enabled: true } };
    const project = openProject(LARGE);
    const expected = project.ok ? project.value.edited(change) : project;
    expect(readFileSync(join(root, 'large/project.yaml'), 'utf8')).toBe(
      expected.ok && expected.value.text,
    );
    expect(edited.ok).toBe(true);
    expect((await projects.snapshot('large'))?.file?.triggers.has('four')).toBe(true);
  });

  it('are read once for an edit after they were read', async () => {
    let reads = 0;
    const projects = open({}, () => {
      reads += 1;
    });
    await projects.snapshot('large');
    expect(reads).toBe(1);
    await projects.edit('large', adds('four'));
    expect(reads).toBe(2);
  });

  // proves: scale.large-files.once
  it('are parsed once, up to 64 of the largest size, also if they return or are copied', async () => {
    const filler = 'x'.repeat(1024 * 1024 - 100);
    const slugs = Array.from({ length: 64 }, (_, n) => `p${n}`);
    for (const slug of slugs) write(slug, `# ${slug} ${filler}\n`);
    let reads = 0;
    const projects = open({ above: Number.POSITIVE_INFINITY }, () => {
      reads += 1;
    });
    const look = async (slug: string): Promise<void> => {
      expect((await projects.snapshot(slug))?.faults).toEqual([]);
    };
    for (const slug of [...slugs, 'p0', 'p1']) await look(slug);
    expect(reads).toBe(64);
    const first = readFileSync(join(root, 'p0/project.yaml'), 'utf8');
    write('copy', first);
    await look('copy');
    write('p0', `${first}# changed\n`);
    await look('p0');
    write('p0', first);
    await look('p0');
    rmSync(join(root, 'p0'), { recursive: true });
    expect(await projects.snapshot('p0')).toBeNull();
    write('p0', first);
    await look('p0');
    expect(reads).toBe(65);
  });

  // proves: scale.large-files.fair
  it('leave a thread for ordinary files, and projects take turns however many jobs each has', async () => {
    const release = join(root, 'release');
    const filler = `# ${'x'.repeat(200_000)}\n`;
    const waitFor = new URL('./fixtures/waiting-worker.mjs', import.meta.url);
    const projects = open({ script: waitFor });
    const slow = (slug: string, version = 0): void =>
      write(slug, `# ${release}\n# ${slug} ${version}\n${filler}`);
    const [greedy, second] = ['large', 'second'].map((slug) => {
      slow(slug);
      return projects.snapshot(slug);
    });
    let done = 0;
    for (let version = 1; version <= 10; version += 1) {
      slow('large', version);
      void projects.previewEdit('large', adds('four')).then(() => {
        done += 1;
      });
      // Read after the other one.
      await projects.text('large');
    }
    slow('third');
    const third = projects.snapshot('third');
    // Its job is done at once, because the file that it waits for exists.
    write('ordinary', `# ${root}\n${LARGE}`);
    expect((await projects.snapshot('ordinary'))?.faults).toEqual([
      { path: '', message: 'is done.' },
    ]);
    writeFileSync(release, '');
    await third;
    expect(done).toBeLessThan(5);
    await Promise.all([greedy, second]);
  });

  it('do not delay small ones, however long they take', async () => {
    const release = join(root, 'release');
    write('large', `# ${release}\n${LARGE}`);
    const projects = open({ script: new URL('./fixtures/waiting-worker.mjs', import.meta.url) });
    const reading = projects.snapshot('large');
    for (let n = 0; n < 3; n += 1) {
      write('small', `${PROJECT}# ${n}\n`);
      expect((await projects.snapshot('small'))?.file?.triggers.size).toBe(1);
      expect((await projects.edit('small', adds(`n${n}`))).ok).toBe(true);
    }
    writeFileSync(release, '');
    expect((await reading)?.faults).toEqual([{ path: '', message: 'is done.' }]);
  });

  it('that take too long are an issue, and the next one is read by another thread', async () => {
    const projects = open({ jobMs: 1 });
    const snapshot = await projects.snapshot('large');
    expect(snapshot?.faults.map(({ message }) => message)).toEqual([
      'takes longer than 0.001 s to read. Make it smaller or simpler.',
    ]);
    expect(await projects.edit('large', adds('four'))).toMatchObject({
      error: { code: 'conflict', issues: [{ path: '' }] },
    });
    expect((await projects.snapshot('small'))?.faults).toEqual([]);
    write('large', PROJECT);
    expect((await projects.snapshot('large'))?.faults).toEqual([]);
  });

  it('that take too much memory are an issue, and the service keeps running', async () => {
    write('large', Array.from({ length: 60_000 }, (_, n) => `promt${n}: x\n`).join(''));
    const projects = open({ memoryMb: 24 });
    const snapshot = await projects.snapshot('large');
    expect(snapshot?.faults.map(({ message }) => message)).toEqual([
      'takes more than 24 MiB of memory to read. Make it smaller or simpler.',
    ]);
    write('large', LARGE);
    expect((await projects.snapshot('large'))?.file?.triggers.size).toBe(2);
  }, 60_000);

  it('are given up when the projects are closed, also while they wait for a thread', async () => {
    const hostile = Array.from({ length: 60_000 }, (_, n) => `promt${n}: x\n`).join('');
    const slugs = ['large', 'second', 'third', 'fourth'];
    for (const slug of slugs) write(slug, `# ${slug}\n${hostile}`);
    const projects = open();
    const reading = slugs.map((slug) => projects.snapshot(slug));
    await projects.snapshot('small');
    await projects.close();
    for (const snapshot of await Promise.all(reading)) {
      expect(snapshot?.faults).toMatchObject([{ message: expect.stringContaining('stopping') }]);
    }
    write('large', LARGE);
    expect((await projects.snapshot('large'))?.faults).toHaveLength(1);
    expect((await projects.snapshot('small'))?.faults).toEqual([]);
  });

  it('whose thread cannot start are an issue, with the reason in the log', async () => {
    const projects = open({ script: new URL('../dist/nowhere.js', import.meta.url) });
    const snapshot = await projects.snapshot('large');
    expect(snapshot?.faults).toMatchObject([
      { path: '', message: expect.stringContaining('thread failed') },
    ]);
    expect(logger.lines).toMatchObject([{ level: 'warn', message: 'reader thread failed' }]);
  });

  it('are an issue if the system has no thread left, and the next ones are read', async () => {
    const release = join(root, 'release');
    const slugs = ['large', 'second', 'third', 'fourth', 'fifth'];
    for (const slug of slugs) write(slug, `# ${release}\n# ${slug}\n${LARGE}`);
    const own = new URL('./fixtures/ending-worker.mjs', import.meta.url);
    const projects = open({ script: own });
    const reading = slugs.map((slug) => projects.snapshot(slug));
    await projects.snapshot('small');
    // No thread can be started from here on.
    own.href = 'http://127.0.0.1/';
    writeFileSync(release, '');
    const faults = (await Promise.all(reading)).map((snapshot) => snapshot?.faults[0]?.message);
    const none = 'could not be read because no thread could be started. Save it again.';
    expect(faults.filter((fault) => fault === none).length).toBeGreaterThanOrEqual(2);
    own.href = script.href;
    write('large', LARGE);
    expect((await projects.snapshot('large'))?.file?.triggers.size).toBe(2);
  });
});
