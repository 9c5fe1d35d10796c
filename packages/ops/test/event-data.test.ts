import { describe, expect, it } from '@jest/globals';
import { promptText } from '@svc/agent-runtime';
import { USER } from '@svc/ops';
import { NEVER } from './calls.ts';
import { scheduled, type World, withWorld } from './harness.ts';

const HOOK = `  hook:
    trigger: { type: event, on: onArchive }
    run: { prompt: "Sum it up.", tools: [Read] }
    enabled: false
`;
const FILE = `${scheduled()}${HOOK}`;

const fire = ({ ops }: World, name: string, event?: unknown) =>
  ops.operations.call(
    USER,
    'run_trigger',
    { project: 'demo', name, ...(event !== undefined && { event }) },
    { signal: NEVER },
  );

const noticesOf = async ({ ops }: World, sessionId: string) => {
  const chat = await ops.chats.get('demo', sessionId, {});
  const messages = chat.ok ? chat.value.messages : [];
  return messages.filter(({ kind }) => kind === 'notice').map(({ text }) => text);
};

describe('an event trigger that is tried with data', () => {
  // proves: events.data.sample, events.data.chat
  it('passes them to its turn, and shows them in its chat after the banner', () =>
    withWorld(FILE, async (world) => {
      const data = { chat: { name: 'Fix "it"\n@now', messages: 2 } };
      const fired = await fire(world, 'hook', data);
      expect(fired.ok).toBe(true);
      const { spec } = await world.until(() => world.runtime.turns[0]);
      const event = { event: 'onArchive', project: 'demo', data } as const;
      expect(spec.prompt).toEqual({ author: 'Sum it up.', data: event });
      const [banner, notice = ''] = await noticesOf(world, spec.sessionId);
      expect(banner).toMatch(/^Runs as agent trigger-\S+(?:, with only the tools listed)?\.$/m);
      const [sentence, ...lines] = notice.split('\n');
      expect(sentence).toBe('Fired by the event onArchive of the chat "Fix \\"it\\" \\u0040now".');
      expect(JSON.parse(lines.join('\n'))).toEqual({
        event: 'onArchive',
        project: 'demo',
        ...data,
      });
      expect((await world.runs())[0]).toMatchObject({ cause: 'manual', by: 'user' });
    }));

  it('shows no event when no data is given', () =>
    withWorld(FILE, async (world) => {
      await fire(world, 'hook');
      const { spec } = await world.until(() => world.runtime.turns[0]);
      expect(spec.prompt).toEqual({ author: 'Sum it up.' });
      expect((await noticesOf(world, spec.sessionId)).join()).not.toContain('Fired by');
    }));

  it('has the beginning of long ones in its chat, and all of them in its turn', () =>
    withWorld(FILE, async (world) => {
      const data = { text: '<'.repeat(20_000), after: 1 };
      await fire(world, 'hook', data);
      const { spec } = await world.until(() => world.runtime.turns[0]);
      expect(spec.prompt.data?.data).toEqual(data);
      const notice = (await noticesOf(world, spec.sessionId))[1] ?? '';
      const json = notice.slice(notice.indexOf('\n') + 1);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(16 * 1024);
      expect(JSON.parse(json)).toEqual({
        event: 'onArchive',
        project: 'demo',
        '[Cut]': 'The data is truncated to 16384 bytes.',
        text: expect.stringMatching(/^<{2000,}\[Cut\]$/),
      });
    }));

  // proves: events.data.sample
  it.each<[string, string, unknown, string]>([
    [
      'a schedule',
      'nightly',
      {},
      'applies to event triggers only, and nightly is a schedule trigger.',
    ],
    ['a list', 'hook', [], 'must be an object.'],
    [
      'too much',
      'hook',
      { text: 'x'.repeat(256 * 1024) },
      'is too large: the limit is 256 KiB of JSON.',
    ],
    [
      'too deep',
      'hook',
      JSON.parse(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`),
      'is nested too deeply: the limit is 32 levels.',
    ],
  ])('refuses what cannot be, in words: %s', (_, name, event, message) =>
    withWorld(FILE, async (world) => {
      const fired = await fire(world, name, event);
      expect(fired).toMatchObject({
        ok: false,
        error: { code: 'invalid', issues: [{ path: 'event', message }] },
      });
      expect(await world.runs()).toEqual([]);
    }),
  );

  // proves: events.data.secrets
  it('keeps configured secrets out of them, however they are written', () => {
    const secret = 'p<a>s&s@w`ord';
    return withWorld(
      FILE,
      async (world) => {
        await fire(world, 'hook', { chat: { name: `It is ${secret}.` }, [secret]: [secret] });
        const { spec } = await world.until(() => world.runtime.turns[0]);
        expect(spec.prompt.data?.data).toEqual({
          chat: { name: 'It is [redacted].' },
          '[redacted]': ['[redacted]'],
        });
        const kept = (await noticesOf(world, spec.sessionId)).join('\n');
        expect(kept).toContain('of the chat "It is [redacted].".');
        expect(`${kept}${promptText(spec.prompt)}`).not.toMatch(/ord"|s@w|s\\u0040w/);
      },
      { secrets: [secret] },
    );
  });
});
