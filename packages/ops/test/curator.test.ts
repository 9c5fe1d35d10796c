import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventJson } from '@svc/agent-runtime';
import { newId } from '@svc/core';
import { type CuratorData, curatorData } from '@svc/engine';
import { USER } from '@svc/ops';
import type { EventData, NewMessage, Run, SessionId, TurnId } from '@svc/records';
import type { TurnOpening } from '@svc/store';
import { ALL, callAs } from './calls.ts';
import { MINUTE, T0, type World, withWorld } from './harness.ts';

const CURATOR = `triggers:
  notes:
    trigger: { type: event, on: afterTurn }
    run: { prompt: "Keep the notes." }
    enabled: true
`;
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const section = (file: string, text: string): string =>
  `<!-- file: ${file} -->\n${text}<!-- end -->\n`;
const said = (text: string, role: NewMessage['role'] = 'assistant'): NewMessage => ({
  role,
  kind: 'text',
  text,
  tool: null,
});

function opening(changes: Partial<TurnOpening> = {}): TurnOpening {
  const sessionId = newId();
  const capability = {
    runsAs: 'agent',
    agentName: null,
    tools: [],
    permissionMode: 'default',
    maxTurns: 30,
    maxSpawnDepth: 0,
  } as const;
  return {
    turnId: newId(),
    sessionId,
    project: 'demo',
    prompt: 'x',
    capability,
    depth: 0,
    parentTurn: null,
    timeoutMs: 60_000,
    at: T0,
    chat: {
      sessionId,
      project: 'demo',
      name: 'Talk',
      origin: 'user',
      triggerName: null,
      by: null,
      capability,
      model: null,
      runtime: 'native',
      forkedFrom: null,
      depth: 0,
    },
    run: null,
    owner: null,
    messages: [],
    ...changes,
  };
}

/** Runs a curator that is given the files as they are now and says these texts; the run that it was. */
async function curated(
  world: World,
  texts: readonly string[],
  { meddle = () => {}, outcome = 'succeeded' as Run['outcome'] } = {},
): Promise<{ run: Run; notices: string[] }> {
  const context = await curatorData(world, 'demo', []);
  const key = { project: 'demo', source: 'trigger', name: 'notes' } as const;
  const fresh = { id: newId(), key, cause: 'event', by: null, claimedAt: T0 } as const;
  const begun = opening({ context, run: { fresh } });
  await world.store.turns.open(begun);
  await world.restart();
  const turn = await world.until(() => world.runtime.turns[0]);
  for (const text of texts) turn.say(text);
  meddle();
  turn.end(outcome as 'succeeded', outcome === 'succeeded' ? null : 'It broke.');
  const run = await world.until(async () =>
    (await world.runs()).find(({ id, state }) => id === fresh.id && state === 'ended'),
  );
  const { messages } = await world.store.chats.messages(begun.sessionId, { limit: 100 });
  const notices = messages.filter(({ kind }) => kind === 'notice').map(({ text }) => text);
  return { run, notices: notices.filter((text) => !text.startsWith('Instructions')) };
}

describe('what a curator answers', () => {
  // proves: curator.files.written, curator.run.reason
  it('becomes its files, and the run and the chat say how they were changed', () =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/OVERVIEW.md', 'a\nb\nc\n');
      const answer = `I looked.\n${section('OVERVIEW.md', 'a\nB\nc\nd\ne\n')}and\n${section('CHANGELOG.md', '# Log\n- x\n')}`;
      const { run, notices } = await curated(world, [answer]);
      expect(run).toMatchObject({
        outcome: 'succeeded',
        reason: 'OVERVIEW.md: 3 lines added, 1 removed; CHANGELOG.md: created, 2 lines.',
        turns: 1,
      });
      expect(world.read('demo/.svc/OVERVIEW.md')).toBe('a\nB\nc\nd\ne\n');
      expect(world.read('demo/.svc/CHANGELOG.md')).toBe('# Log\n- x\n');
      expect(notices.at(-1)).toBe(
        "svc wrote the files from the curator's answer.\n```diff\n--- .svc/OVERVIEW.md\n+++ .svc/OVERVIEW.md\n@@ -1,3 +1,5 @@\n a\n-b\n+B\n c\n+d\n+e\n--- /dev/null\n+++ .svc/CHANGELOG.md\n@@ -0,0 +1,2 @@\n+# Log\n+- x\n```",
      );
    }));

  it('may come in pieces and in several texts', () =>
    withWorld(CURATOR, async (world) => {
      const pieces = ['First.', '<!-- file: OVERVIEW.md -->\na', '\nb\n<!-- end -->', 'Done.'];
      await curated(world, pieces);
      expect(world.read('demo/.svc/OVERVIEW.md')).toBe('a\nb\n');
    }));

  // proves: curator.sections.none
  it.each([
    ['without a section', 'All is well.'],
    ['with what the file says already', section('OVERVIEW.md', 'a\n')],
  ])('changes nothing %s', (_, answer) =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/OVERVIEW.md', 'a\n');
      const { run } = await curated(world, [answer]);
      expect(run).toMatchObject({ outcome: 'succeeded', reason: 'No file was changed.' });
      expect(world.read('demo/.svc/OVERVIEW.md')).toBe('a\n');
      expect(existsSync(join(world.root, 'demo/.svc/CHANGELOG.md'))).toBe(false);
    }),
  );

  // proves: curator.sections.faults, curator.files.edited, curator.files.bounds
  it.each<[string, (world: World) => string, string]>([
    [
      'a section has no end',
      () => `${section('CHANGELOG.md', 'x\n')}<!-- file: OVERVIEW.md -->\nlost`,
      'The section of OVERVIEW.md that starts on line 4 has no end.',
    ],
    [
      'a section is for another file',
      () => section('CHANGELOG.md', 'x\n') + section('README.md', 'x\n'),
      'The section on line 4 is for "README.md"; it must be OVERVIEW.md or CHANGELOG.md.',
    ],
    [
      'the name of that file is long, or would steer a terminal',
      () => section(`\u001b[31m\u202e${'😀'.repeat(80)}`, 'x\n'),
      `The section on line 1 is for "\ufffd[31m\ufffd${'😀'.repeat(53)}…"; it must be OVERVIEW.md or CHANGELOG.md.`,
    ],
    [
      'a section is too long',
      () => section('CHANGELOG.md', 'x\n') + section('OVERVIEW.md', `${'x'.repeat(131_072)}\n`),
      '.svc/OVERVIEW.md would be 131073 bytes; the limit is 131072.',
    ],
    [
      'a file was edited in between',
      (world) => {
        world.write('demo/.svc/OVERVIEW.md', 'by hand\n');
        return section('CHANGELOG.md', 'x\n') + section('OVERVIEW.md', 'b\n');
      },
      '.svc/OVERVIEW.md was changed by another program meanwhile and is left unchanged.',
    ],
  ])('fails, and changes nothing at all, where %s', (_, answer, why) =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/OVERVIEW.md', 'a\n');
      const context: { text?: string } = {};
      const { run, notices } = await curated(world, [], {
        meddle: () => {
          context.text = answer(world);
          world.runtime.turns[0]?.say(context.text);
        },
      });
      const reason = `No file was changed. ${why}`;
      expect(run).toMatchObject({ outcome: 'failed', reason });
      expect(notices.at(-1)).toBe(`This turn failed: ${reason}`);
      expect(['a\n', 'by hand\n']).toContain(world.read('demo/.svc/OVERVIEW.md'));
      expect(existsSync(join(world.root, 'demo/.svc/CHANGELOG.md'))).toBe(false);
    }),
  );

  it('counts only where the turn has succeeded', () =>
    withWorld(CURATOR, async (world) => {
      const { run } = await curated(world, [section('OVERVIEW.md', 'a\n')], { outcome: 'failed' });
      expect(run).toMatchObject({ outcome: 'failed', reason: 'It broke.' });
      expect(existsSync(join(world.root, 'demo/.svc/OVERVIEW.md'))).toBe(false);
    }));

  it('is text like any other where nothing asked for it but a schedule', () =>
    withWorld(CURATOR, async (world) => {
      await world.store.turns.open(opening());
      await world.restart();
      const turn = await world.until(() => world.runtime.turns[0]);
      turn.say(section('OVERVIEW.md', 'a\n'));
      turn.end();
      await world.until(async () => (await world.store.nodes.own()).length === 0);
      expect(existsSync(join(world.root, 'demo/.svc/OVERVIEW.md'))).toBe(false);
    }));

  it('is written without what is secret', () =>
    withWorld(
      CURATOR,
      async (world) => {
        await curated(world, ['<!-- file: OVERVIEW.md -->\nkey tops3', 'cret\n<!-- end -->']);
        expect(world.read('demo/.svc/OVERVIEW.md')).not.toMatch(/tops3|cret/);
      },
      { secrets: ['tops3cret'] },
    ));

  it('is shown as a diff of at most 16 KiB, in a fence that it cannot close', () =>
    withWorld(CURATOR, async (world) => {
      const text = `\`\`\`\`\n${'line\n'.repeat(9000)}`;
      const { run, notices } = await curated(world, [section('OVERVIEW.md', text)]);
      expect(run.reason).toBe('OVERVIEW.md: created, 9001 lines.');
      const notice = String(notices.at(-1));
      expect(notice.split('\n')[1]).toBe('`````diff');
      expect(notice).toMatch(/\n\[Cut: the first 16384 of \d+ bytes are shown\.\]\n`{5}$/);
      expect(Buffer.byteLength(notice)).toBeLessThan(16 * 1024 + 200);
    }));

  it('is counted in full when the two texts have nothing in common', () =>
    withWorld(CURATOR, async (world) => {
      const lines = (word: string) =>
        Array.from({ length: 3000 }, (_, i) => `${word} ${i}\n`).join('');
      world.write('demo/.svc/OVERVIEW.md', lines('old'));
      const { run } = await curated(world, [section('OVERVIEW.md', lines('new'))]);
      expect(run.reason).toBe('OVERVIEW.md: 3000 lines added, 3000 removed.');
    }));
});

describe('a curator', () => {
  const ended = (world: World, cause: Run['cause']): Promise<Run> =>
    world.until(async () =>
      (await world.runs()).find((run) => run.cause === cause && run.state === 'ended'),
    );

  // proves: curator.given.messages, curator.files.written
  it('keeps the notes of what a person has said, once the chat rests', () =>
    withWorld(CURATOR, async (world) => {
      const made = await world.ops.chats.create(USER, 'demo', { prompt: 'Hello.' });
      const turn = await world.until(() => world.runtime.turns[0]);
      turn.say('Hi.');
      turn.end();
      await world.until(() => world.store.events.backlog('afterTurn', 'demo'));
      await world.until(async () => {
        await world.clock.advance(MINUTE);
        return world.runtime.turns.length === 2;
      });
      const curator = world.runtime.turns[1];
      expect(curator?.spec.prompt.data).toMatchObject({
        event: 'afterTurn',
        data: {
          turns: 1,
          files: { 'OVERVIEW.md': null },
          chats: [
            {
              sessionId: made.ok && made.value.sessionId,
              messages: [
                { role: 'user', by: 'user', text: 'Hello.' },
                { role: 'assistant', text: 'Hi.' },
              ],
            },
          ],
        },
      });
      curator?.say(section('OVERVIEW.md', 'Greetings.\n'));
      curator?.end();
      expect(await ended(world, 'event')).toMatchObject({
        outcome: 'succeeded',
        reason: 'OVERVIEW.md: created, 1 line.',
      });
      expect(world.read('demo/.svc/OVERVIEW.md')).toBe('Greetings.\n');
    }));

  it('that is run by hand is given its files, and writes them', () =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/OVERVIEW.md', 'a\n');
      expect((await world.ops.triggers.run(USER, 'demo', 'notes')).ok).toBe(true);
      const turn = await world.until(() => world.runtime.turns[0]);
      expect(turn.spec.prompt.data).toMatchObject({
        event: 'afterTurn',
        data: { turns: 0, chats: [], files: { 'OVERVIEW.md': { text: 'a\n' } } },
      });
      turn.say(section('OVERVIEW.md', 'b\n'));
      turn.end();
      expect(await ended(world, 'manual')).toMatchObject({
        reason: 'OVERVIEW.md: 1 line added, 1 removed.',
      });
      expect(world.read('demo/.svc/OVERVIEW.md')).toBe('b\n');
    }));

  // proves: curator.first
  it('that is not the first in the file is warned of wherever a trigger is stored, checked or listed', () =>
    withWorld(CURATOR, async ({ ops }) => {
      const record = {
        trigger: { type: 'event', on: 'afterTurn' },
        run: { prompt: 'x' },
        enabled: true,
      };
      const warning = {
        path: 'trigger.on',
        message: expect.stringMatching(/^is afterTurn, but notes comes first in the file/),
      };
      const warned = { value: { warnings: [warning] } };
      const silent = { value: { warnings: [] } };
      const { triggers } = ops;
      expect(await triggers.validate('demo', record)).toMatchObject(warned);
      expect(await triggers.validate('demo', record, 'more')).toMatchObject(warned);
      expect(await triggers.validate('demo', record, 'notes')).toMatchObject(silent);
      expect(await triggers.put(USER, 'demo', 'more', record)).toMatchObject(warned);
      expect(await triggers.put(USER, 'demo', 'notes', record)).toMatchObject(silent);
      expect(await triggers.get('demo', 'more')).toMatchObject(warned);
      const list = await triggers.list('demo');
      expect(list.ok && list.value.triggers.map(({ name, warnings }) => [name, warnings])).toEqual([
        ['notes', undefined],
        ['more', [{ ...warning, line: expect.any(Number), column: expect.any(Number) }]],
      ]);
      expect(await triggers.runtime('demo')).toMatchObject({
        value: [
          { name: 'notes', armed: true },
          {
            name: 'more',
            armed: true,
            reason: 'It does not fire: the curator is notes, which comes first in project.yaml.',
          },
        ],
      });
      const tool = {
        project: 'demo',
        name: 'third',
        event: 'afterTurn',
        prompt: 'x',
        enabled: true,
      };
      expect(await callAs(ops, ALL, 'set_trigger', tool)).toMatchObject({
        value: { warnings: [{ ...warning, path: 'event' }] },
      });
    }));
});

describe('what a curator is given', () => {
  const dataOf = (context: EventData): CuratorData => context.data as unknown as CuratorData;
  const given = async (world: World, ids: readonly TurnId[]): Promise<CuratorData> =>
    dataOf(await curatorData(world, 'demo', ids));
  const talk = async (
    world: World,
    messages: readonly NewMessage[],
    inside?: SessionId,
  ): Promise<TurnOpening> => {
    const begun = opening({
      messages,
      ...(inside === undefined ? {} : { chat: null, sessionId: inside }),
    });
    await world.store.turns.open(begun);
    return begun;
  };

  // proves: curator.given.messages
  it('is what was said in exactly these turns, by chat, without notices, and the files with their hashes', () =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/CHANGELOG.md', '# Log\n');
      const call = { callId: '1', name: 'Read', input: { file_path: 'a' } };
      const first = await talk(world, [
        { role: 'system', kind: 'notice', text: 'It may do nothing.', tool: null },
        { ...said('Ask.', 'user'), by: 'user' },
        { role: 'assistant', kind: 'tool_use', text: '', tool: call },
        {
          role: 'tool',
          kind: 'tool_result',
          text: 'x'.repeat(5000),
          tool: { callId: '1', name: 'Read', isError: true },
        },
        said('Answer.'),
      ]);
      await talk(world, [said('Not of these.')], first.sessionId);
      const other = await talk(world, [said('Elsewhere.')]);
      const at = '2026-03-01T09:00:00.000Z';
      const mark = '\n[Cut: the first 2048 of 5000 bytes are shown.]';
      const data = await given(world, [first.turnId, other.turnId]);
      expect(data.files).toEqual({
        'OVERVIEW.md': null,
        'CHANGELOG.md': { text: '# Log\n', sha256: hash('# Log\n') },
      });
      expect([data.turns, data.omitted]).toEqual([2, undefined]);
      expect(Object.fromEntries(data.chats.map((chat) => [chat.sessionId, chat.messages]))).toEqual(
        {
          [first.sessionId]: [
            { role: 'user', by: 'user', at, text: 'Ask.' },
            { role: 'assistant', at, text: '', tool: { name: 'Read', input: { file_path: 'a' } } },
            {
              role: 'tool',
              at,
              text: 'x'.repeat(2048) + mark,
              tool: { name: 'Read', isError: true },
            },
            { role: 'assistant', at, text: 'Answer.' },
          ],
          [other.sessionId]: [{ role: 'assistant', at, text: 'Elsewhere.' }],
        },
      );
      expect(data.chats[0]?.name).toBe('Talk');
    }));

  // proves: curator.given.bounds
  it('is 96 KiB of messages at most, the newest, and says how many are left out', () =>
    withWorld(CURATOR, async (world) => {
      const begun = await talk(world, [said('first', 'user')]);
      for (let n = 0; n < 20; n += 1) {
        world.clock.suspend(1);
        const at = world.clock.now();
        const message = said(`${n} ${'"'.repeat(4000)}`);
        await world.store.turns.append(begun.turnId, begun.sessionId, [message], at);
      }
      const data = await given(world, [begun.turnId]);
      const [chat] = data.chats;
      const bytes = Buffer.byteLength(JSON.stringify(chat?.messages));
      expect(bytes).toBeLessThanOrEqual(96 * 1024 + 100);
      expect(bytes).toBeGreaterThan(70 * 1024);
      expect(chat?.messages.at(-1)?.text).toMatch(/^19 /);
      expect((chat?.messages.length ?? 0) + (data.omitted ?? 0)).toBe(21);
    }));

  it('is a beginning of 32 KiB of one message that is longer, never nothing', () =>
    withWorld(CURATOR, async (world) => {
      const begun = await talk(world, [said('x'.repeat(200_000), 'user')]);
      const data = await given(world, [begun.turnId]);
      expect(data.chats[0]?.messages[0]?.text).toMatch(/^x{32768}\n\[Cut: /);
      expect(data.omitted).toBeUndefined();
      expect(await given(world, [])).toMatchObject({ chats: [], turns: 0 });
    }));

  it('leaves nothing out of the newest message but its end, however much is escaped where an agent reads it', () =>
    withWorld(CURATOR, async (world) => {
      const begun = await talk(world, [said('<'.repeat(40_000), 'user')]);
      expect((await given(world, [begun.turnId])).chats[0]?.messages).toHaveLength(1);
    }));

  // proves: curator.given.bounds
  it('is never so long that a part of it is cut', () =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/OVERVIEW.md', '`'.repeat(20_000));
      world.write('demo/.svc/CHANGELOG.md', 'x\n'.repeat(9_000));
      const ids: TurnId[] = [];
      const input = { list: Array.from({ length: 900 }, () => [1]) };
      const call: NewMessage = {
        role: 'assistant',
        kind: 'tool_use',
        text: '',
        tool: { callId: 'c', name: 'Odd', input },
      };
      for (const text of ['short', '<'.repeat(3000), '\n'.repeat(9000), '\u202e'.repeat(900)]) {
        for (let n = 0; n < 10; n += 1) ids.push((await talk(world, [said(text), call])).turnId);
      }
      const event = await curatorData(world, 'demo', ids);
      const json = eventJson(event);
      expect(json).not.toContain('"[Cut]"');
      expect(json.length).toBeGreaterThan(200 * 1024);
      expect(dataOf(event).omitted).toBeGreaterThan(0);
    }));

  // proves: curator.given.bounds
  it('is the beginning of a file that is too long to show in full, which is then not written', () =>
    withWorld(CURATOR, async (world) => {
      world.write('demo/.svc/OVERVIEW.md', 'o'.repeat(120 * 1024));
      const log = `${'<'.repeat(30 * 1024)}\n`;
      world.write('demo/.svc/CHANGELOG.md', log);
      const { files } = await given(world, []);
      expect(files['OVERVIEW.md']).toMatchObject({ sha256: expect.any(String) });
      const fault =
        '.svc/CHANGELOG.md is too long to show to the curator in full, so it was not changed. Shorten it yourself.';
      expect(files['CHANGELOG.md']).toEqual({
        text: expect.stringMatching(/^<{8192}\n\[Cut/),
        fault,
      });
      const answer = section('OVERVIEW.md', 'x\n') + section('CHANGELOG.md', 'x\n');
      const { run } = await curated(world, [answer]);
      expect(run).toMatchObject({ outcome: 'failed', reason: `No file was changed. ${fault}` });
      expect(world.read('demo/.svc/CHANGELOG.md')).toBe(log);
      expect(world.read('demo/.svc/OVERVIEW.md')).toHaveLength(120 * 1024);
    }));

  it('is the fault of a file that can be neither read nor written', () =>
    withWorld(CURATOR, async (world) => {
      mkdirSync(join(world.root, 'demo/.svc'));
      symlinkSync('/etc/hostname', join(world.root, 'demo/.svc/OVERVIEW.md'));
      expect((await given(world, [])).files['OVERVIEW.md']).toEqual({
        fault: '.svc/OVERVIEW.md is a link. Replace it with a regular file.',
      });
    }));
});
