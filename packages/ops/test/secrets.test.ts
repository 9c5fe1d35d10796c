import { describe, expect, it } from '@jest/globals';
import { textFault } from '@svc/core';
import { USER } from '@svc/ops';
import { MINUTE, NO_TRIGGERS, scheduled, type World, withWorld } from './harness.ts';

const KEY = 'sk-live-0123456789';
const SECRETS = { secrets: [KEY] };

const ended = async ({ runs, until }: World) =>
  until(async () => (await runs()).find(({ state }) => state === 'ended'));

const messagesOf = async ({ ops }: World, sessionId: string) => {
  const chat = await ops.chats.get('demo', sessionId, {});
  return chat.ok ? chat.value.messages : [];
};

describe('a configured secret', () => {
  // proves: runtimes.secrets
  it('stands in no transcript, no reason, no refusal and no line of the log', () =>
    withWorld(
      scheduled(),
      async (world) => {
        const { clock, runtime, until, logger } = world;
        await clock.advance(MINUTE);
        const turn = await until(() => runtime.turns[0]);
        turn.say(`It is ${KEY}.`);
        const input = { [KEY]: [`curl -H 'x: ${KEY}'`], url: `?k=${encodeURIComponent(KEY)}` };
        const tool = { callId: 'c', name: 'Bash' };
        turn.tell({ role: 'assistant', kind: 'tool_use', text: '', tool: { ...tool, input } });
        const text = Buffer.from(`user:${KEY}`).toString('base64');
        turn.tell({ role: 'tool', kind: 'tool_result', text, tool });
        const denied = [{ tool: 'Bash', reason: `No ${KEY} here.` }];
        turn.end('failed', `It said ${KEY}.`, { denied });
        const run = await ended(world);
        expect(run?.reason).toBe('It said [redacted].');
        expect(run?.denied[0]?.reason).toBe('No [redacted] here.');
        const messages = await messagesOf(world, run?.sessionId ?? '');
        const kept = JSON.stringify([messages, logger.lines, run]);
        expect(kept).not.toContain('0123456789');
        expect(kept).not.toContain(text.slice(10, 22));
        expect(messages.find(({ kind }) => kind === 'tool_use')?.tool?.input).toEqual({
          '[redacted]': ["curl -H 'x: [redacted]'"],
          url: '?k=[redacted]',
        });
      },
      SECRETS,
    ));

  it('stands in no prompt and no name of a chat, but reaches the turn', () =>
    withWorld(
      NO_TRIGGERS,
      async (world) => {
        const made = await world.ops.chats.create(USER, 'demo', { prompt: `Use ${KEY}` });
        expect(made).toMatchObject({ value: { name: 'Use [redacted]' } });
        const { spec } = await world.until(() => world.runtime.turns[0]);
        expect(spec.prompt.author).toBe(`Use ${KEY}`);
        const messages = await messagesOf(world, spec.sessionId);
        expect(messages.at(-1)?.text).toBe('Use [redacted]');
      },
      SECRETS,
    ));

  it('is caught where it goes over the ends of pieces of one text', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await world.clock.advance(MINUTE);
        const turn = await world.until(() => world.runtime.turns[0]);
        for (const piece of ['Here: sk-li', 've-0123', '456789 and sk', 'y above']) turn.say(piece);
        turn.end();
        const run = await ended(world);
        const messages = await messagesOf(world, run?.sessionId ?? '');
        const said = messages.filter(({ role }) => role === 'assistant').map(({ text }) => text);
        expect(said).toEqual(['Here: [redacted]', '', ' and sk', 'y above']);
      },
      SECRETS,
    ));
});

describe('a text of a transcript', () => {
  // proves: texts.well-formed
  it('holds no U+0000 and no half characters, nor does the record of its run', () =>
    withWorld(
      `name: demo\nkeeper: { instructions: "Half \\ud800\\0." }\n${scheduled(', runsAs: keeper')}`,
      async (world) => {
        const { clock, runtime, until } = world;
        await clock.advance(MINUTE);
        const turn = await until(() => runtime.turns[0]);
        expect(turn.spec.instructions).toMatch(/Half \ufffd\.$/);
        const tool = { callId: 'c', name: 'Bash\ud800', input: { '\udc00': ['\0', '\u{1f600}'] } };
        turn.tell({ role: 'assistant', kind: 'tool_use', text: '', tool });
        turn.say(`Half \ud800 and ${KEY.slice(0, 5)}\0${KEY.slice(5)}.`);
        const denied = [{ tool: 'Bash\udc00', reason: 'No\0 \ud800.' }];
        turn.end('failed', 'It said \udbff\0.', { denied, model: 'm\ud800' });
        const run = await ended(world);
        const messages = await messagesOf(world, run?.sessionId ?? '');
        expect(run).toMatchObject({
          reason: 'It said \ufffd.',
          denied: [{ tool: 'Bash\ufffd', reason: 'No \ufffd.' }],
          model: 'm\ufffd',
        });
        expect(messages.find(({ kind }) => kind === 'tool_use')?.tool).toMatchObject({
          name: 'Bash\ufffd',
          input: { '\ufffd': ['', '\u{1f600}'] },
        });
        expect(messages.map(({ text }) => text)).toContain('Half \ufffd and [redacted].');
        expect(textFault(JSON.parse(JSON.stringify([run, messages])))).toBeNull();
      },
      SECRETS,
    ));

  it('is cut at 256 KiB with a mark, once, whatever the runtime does', () =>
    withWorld(scheduled(), async (world) => {
      const { clock, runtime, until } = world;
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      const most = 256 * 1024;
      turn.say('a'.repeat(most + 5000));
      const marked = `${'b'.repeat(most)}\n[Cut: the first ${most} of 999999 bytes are shown.]`;
      const tool = { callId: 'c', name: 'Write' };
      turn.tell({ role: 'tool', kind: 'tool_result', text: marked, tool });
      const input = { content: 'c'.repeat(3 * most), path: 'x' };
      turn.tell({ role: 'assistant', kind: 'tool_use', text: '', tool: { ...tool, input } });
      turn.end();
      const run = await ended(world);
      const [said, given, call] = (await messagesOf(world, run?.sessionId ?? '')).slice(-3);
      expect(said?.text.slice(most)).toBe(
        `\n[Cut: the first ${most} of ${most + 5000} bytes are shown.]`,
      );
      expect(given?.text).toBe(marked);
      const { content = '' } = (call?.tool?.input ?? {}) as { content?: string };
      expect(content.slice(most)).toMatch(/^\n\[Cut: /);
    }));
});
