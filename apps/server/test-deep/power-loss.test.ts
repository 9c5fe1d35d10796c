import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Run } from '@svc/records';
import { BIN, type OpenHome, openHome, until } from '../test/harness.ts';
import { type Leaves, LossyDisk } from './lossy-disk.ts';
import { type Effect, effectsIn, traced } from './syscalls.ts';

jest.setTimeout(400_000);

const LOOK = new URL('power-images.mjs', import.meta.url).pathname;
const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`bash\\necho $SVC_RUN_ID >> $NOTES\\n\`\`\`", tools: [Bash] }
    enabled: true
`;
const DEMO = '/api/projects/demo';

/** A fact that an answer promised: a thing, and whether it exists from now on. */
type Promised = readonly [thing: string, isThere: boolean];

interface Cut {
  readonly at: number;
  readonly leaves: Leaves;
}

interface Image extends Cut {
  readonly home: string;
  readonly notes: string;
  /** Everything promised before the cut, except for the subject of the request in progress at that time. */
  readonly promised: readonly Promised[];
  /** Runs whose agent had started to work. */
  readonly begun: readonly string[];
}

interface Seen {
  readonly home: string;
  readonly error?: string;
  readonly since: string;
  readonly runs: readonly Run[];
  readonly archived: readonly { readonly sessionId: string; readonly archived: boolean }[];
  readonly triggers: { readonly triggers: readonly { readonly name: string }[] };
  readonly projects: readonly { readonly slug: string }[];
  readonly status: { readonly paused: unknown };
  readonly notes: string;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-power-')));
const trace = join(folder, 'trace');
const notes = join(folder, 'notes');
let home: OpenHome;
let images: readonly Image[];
let seen: ReadonlyMap<string, Seen>;
let disk: LossyDisk;

beforeAll(async () => {
  home = openHome();
  home.write('svc.config.yaml', 'agents: { env: [NOTES], sandbox: { mode: off } }\n');
  home.write('projects/demo/project.yaml', PROJECT);
  writeFileSync(notes, '');
  disk = new LossyDisk(home.home);
  const answers = await work();
  const effects: Effect[] = [];
  const isWanted = (path: string): boolean => path === notes || disk.holds(path);
  for await (const effect of effectsIn(trace, isWanted)) effects.push(effect);
  images = cutAll(effects, answers);
  seen = await lookAt(images);
});

afterAll(async () => {
  await home.close();
  rmSync(folder, { recursive: true, force: true });
});

type Ask = (
  method: string,
  path: string,
  body: unknown,
  promised: (answer: Record<string, string>) => readonly Promised[],
) => Promise<Record<string, string>>;

/** Has a traced service do everything that it acknowledges; returns what each of its answers promised. */
async function work(): Promise<readonly (readonly Promised[])[]> {
  const command = [process.execPath, BIN, 'serve', '--home', home.home, '--port', '0'];
  const [program = '', ...args] = traced(trace, command);
  const basic = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TZ: 'UTC' };
  const env = { ...basic, NOTES: notes, UV_USE_IO_URING: '0' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await listening(child);
  const answers: (readonly Promised[])[] = [];
  const ask: Ask = async (method, path, body, promised) => {
    const json = { 'content-type': 'application/json' };
    const options = body === null ? {} : { headers: json, body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, ...options });
    const answer = (await response.json()) as Record<string, string>;
    expect([method, path, response.ok, answer]).toEqual([method, path, true, answer]);
    answers.push(promised(answer));
    return answer;
  };
  for (let round = 0; round < 3; round += 1) await doAll(ask, round);
  // Runs that were requested, and some of slots.
  await until(async () => readFileSync(notes, 'utf8').split('\n').length > 6);
  const { pid } = JSON.parse(home.read('data/instance.json')) as { pid: number };
  const ended = once(child, 'exit');
  process.kill(pid, 'SIGTERM');
  await ended;
  return answers;
}

async function listening(child: ChildProcess): Promise<string> {
  let complaint = '';
  child.stderr?.on('data', (chunk) => (complaint += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${complaint}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as { msg: string; url: string };
      if (line.msg === 'listening') resolve(line.url);
    });
  });
}

async function doAll(ask: Ask, round: number): Promise<void> {
  const nothing = () => [];
  const record = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'Do it.' } };
  for (const name of [`a${round}`, `b${round}`]) {
    const there: Promised = [`trigger ${name}`, true];
    await ask('PUT', `${DEMO}/triggers/${name}`, record, () => [there]);
  }
  await ask('POST', '/api/projects', { name: `Fresh ${round}` }, () => [
    [`project fresh-${round}`, true],
  ]);
  const { sessionId, runId } = await ask('POST', `${DEMO}/triggers/it/run`, null, (answer) => [
    [`run ${answer['runId']}`, true],
  ]);
  await until(async () => {
    const run = await ask('GET', `${DEMO}/runs/${runId}`, null, nothing);
    return run['state'] === 'ended';
  });
  await ask('POST', `${DEMO}/chats/${sessionId}/archive`, null, () => [
    [`chat ${sessionId}`, true],
  ]);
  await ask('DELETE', `${DEMO}/triggers/a${round}`, null, () => [[`trigger a${round}`, false]]);
  await ask('POST', '/api/pause', {}, () => [['pause', true]]);
  await ask('POST', '/api/resume', null, () => [['pause', false]]);
}

const AT_RANDOM: readonly Leaves[] = [
  'something',
  'something',
  'something',
  'nothing',
  'everything',
];

/** Cuts the power at each answer, at each line of an agent, and at random moments. */
function cutAll(effects: readonly Effect[], answers: readonly (readonly Promised[])[]): Image[] {
  const random = seeded(7);
  const cuts: Cut[] = effects.flatMap(({ kind, ...effect }, at): Cut[] => {
    const isNote = 'path' in effect && effect.path === notes && kind === 'write';
    const isAnswer = isAnswered(effects[at]);
    return isNote || isAnswer ? [{ at: at + 1, leaves: 'nothing' }] : [];
  });
  for (let n = 0; n < 60; n += 1) {
    const leaves = AT_RANDOM[n % AT_RANDOM.length] ?? 'nothing';
    cuts.push({ at: Math.floor(random() * effects.length), leaves });
  }
  cuts.sort((a, b) => a.at - b.at);
  const made: Image[] = [];
  const begun: string[] = [];
  let answered = 0;
  for (let at = 0; at <= effects.length; at += 1) {
    for (; cuts[0]?.at === at; cuts.shift()) {
      const { leaves } = cuts[0];
      const place = {
        home: join(folder, `${made.length}`),
        notes: join(folder, `${made.length}.notes`),
      };
      disk.cut(place.home, leaves, random);
      writeFileSync(place.notes, begun.map((id) => `${id}\n`).join(''));
      made.push({
        at,
        leaves,
        ...place,
        begun: [...begun],
        promised: promisedBy(answers, answered),
      });
    }
    const effect = effects[at];
    if (effect === undefined) break;
    disk.apply(effect);
    if (isAnswered(effect)) answered += 1;
    if (effect.kind === 'write' && effect.path === notes) begun.push(effect.data.toString().trim());
  }
  expect([answered, begun.length > 3]).toEqual([answers.length, true]);
  return made;
}

function isAnswered(effect: Effect | undefined): boolean {
  return effect?.kind === 'sending' && effect.data.toString('latin1', 0, 9) === 'HTTP/1.1 ';
}

// The effect of the next answer may be there already, or not yet.
function promisedBy(answers: readonly (readonly Promised[])[], count: number): Promised[] {
  const now = new Map(answers.slice(0, count).flat());
  for (const [thing] of answers[count] ?? []) now.delete(thing);
  return [...now];
}

async function lookAt(list: readonly Image[]): Promise<ReadonlyMap<string, Seen>> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TZ: 'UTC' };
  const child = spawn(process.execPath, [LOOK], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  for (const image of list) child.stdin.write(`${JSON.stringify(image)}\n`);
  child.stdin.end();
  const found = new Map<string, Seen>();
  for await (const line of createInterface({ input: child.stdout })) {
    const one = JSON.parse(line) as Seen;
    found.set(one.home, one);
  }
  return found;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The differences between an image and the promises. */
function faultsOf(image: Image): string[] {
  const now = seen.get(image.home);
  if (now === undefined || now.error !== undefined) return [`does not start: ${now?.error}`];
  const things = new Set([
    ...now.triggers.triggers.map(({ name }) => `trigger ${name}`),
    ...now.projects.map(({ slug }) => `project ${slug}`),
    ...now.runs.map(({ id }) => `run ${id}`),
    ...now.archived.flatMap(({ sessionId, archived }) => (archived ? [`chat ${sessionId}`] : [])),
    ...(now.status.paused === null ? [] : ['pause']),
  ]);
  const broken = image.promised.filter(([thing, isThere]) => things.has(thing) !== isThere);
  const unknown = image.begun.filter((id) => !things.has(`run ${id}`));
  const lines = now.notes.trim().split('\n').filter(Boolean);
  const twice = lines.filter((line, n) => lines.indexOf(line) !== n);
  const slots = now.runs.flatMap(({ scheduledFor }) => scheduledFor ?? []);
  const doubled = slots.filter((slot, n) => slots.indexOf(slot) !== n);
  const continues = now.runs.some(({ claimedAt }) => claimedAt > now.since) || things.has('pause');
  return [
    ...broken.map(([thing, isThere]) => `${thing} is ${isThere ? 'lost' : 'back'}`),
    ...unknown.map((id) => `run ${id} worked, but has no row`),
    ...twice.map((id) => `run ${id} was started twice`),
    ...doubled.map((slot) => `slot ${slot} has two rows`),
    ...(continues ? [] : ['no slot is claimed any more']),
  ];
}

/** Every file of a folder with its content. */
function tree(path: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(path, { recursive: true }) as string[]) {
    const place = join(path, name);
    if (!statSync(place).isDirectory()) files.set(name, readFileSync(place).toString('base64'));
  }
  return files;
}

describe('a machine that loses power', () => {
  it('is modelled correctly: the complete state matches the real disk', () => {
    const last = join(folder, 'last');
    disk.cut(last, 'everything', () => 0);
    expect(tree(last)).toEqual(tree(home.home));
  });

  // proves: faults.power, faults.database.upgrade
  it('preserves everything acknowledged, starts no run again, and continues, whenever the power is lost', () => {
    const faults = images.flatMap((image) => {
      const found = faultsOf(image);
      return found.length === 0
        ? []
        : [{ at: image.at, leaves: image.leaves, home: image.home, found }];
    });
    expect(faults).toEqual([]);
    expect(images.length).toBeGreaterThan(80);
  });
});
