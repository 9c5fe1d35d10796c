import { describe, expect, it } from '@jest/globals';
import type { AskedModel, TurnEvent } from '@svc/agent-runtime';
import { calls, chunk, plain, says, stream, withEndpoint } from './endpoint-fixture.ts';
import { bash, chatModel, inFolder, makeRuntime, makeSpec, step } from './support.ts';

/** Runs a turn and returns what it reported while it ran. */
async function follow(runtime: ReturnType<typeof makeRuntime>, cwd: string, prompt: string) {
  const asked: AskedModel[] = [];
  const events: TurnEvent[] = [];
  const spec = makeSpec(cwd, { prompt, onModelCall: (call) => asked.push(call) });
  for await (const event of runtime.start(spec, new AbortController().signal)) events.push(event);
  const messages = events.flatMap((event) => (event.type === 'message' ? [event] : []));
  const callIds = messages.flatMap(({ message: { kind, tool } }) =>
    kind === 'tool_use' && tool !== null ? [tool.callId] : [],
  );
  return { asked, messages, callIds };
}

describe('the callbacks of a turn', () => {
  it('report each model call, including those of child turns, and the model that answered', () =>
    inFolder(async (folder) => {
      const usage = { usage: { prompt_tokens: 7, completion_tokens: 3 }, model: 'scripted-0615' };
      const answers = [
        calls(['Task', { prompt: 'Look.' }]),
        stream([chunk({ content: 'Seen.' }, 'stop', usage)]),
        says('Done.'),
      ];
      await withEndpoint(answers, async (baseUrl) => {
        const runtime = makeRuntime({ model: chatModel(baseUrl) });
        const { asked, callIds } = await follow(runtime, folder, 'Go.');
        expect(asked).toMatchObject([
          { within: null, error: null },
          { within: callIds[0], tokensIn: 7, tokensOut: 3, answeredBy: 'scripted-0615' },
          { within: null, answeredBy: null },
        ]);
        expect(asked.every(({ durationMs }) => durationMs >= 0)).toBe(true);
      });
    }));

  it('report why a model call failed', () =>
    inFolder((folder) =>
      withEndpoint([plain(401, '')], async (baseUrl) => {
        const runtime = makeRuntime({ model: chatModel(baseUrl) });
        const { asked } = await follow(runtime, folder, 'Go.');
        expect(asked).toMatchObject([{ tokensIn: null, error: expect.stringContaining('401') }]);
      }),
    ));

  it('report the Task call of child turn messages, and no model calls of a playbook', () =>
    inFolder(async (folder) => {
      const inner = step('Task', { prompt: bash('echo inner') });
      const prompt = `${step('Task', { prompt: `${bash('echo outer')}` })}${bash('echo own')}${inner}`;
      const { asked, messages, callIds } = await follow(makeRuntime(), folder, prompt);
      expect(asked).toEqual([]);
      const of = messages
        .filter(({ message }) => message.kind === 'tool_use')
        .map(({ message, within }) => [
          message.tool?.name,
          within === undefined ? null : callIds.indexOf(within),
        ]);
      expect(of).toEqual([
        ['Task', null],
        ['Bash', 0],
        ['Bash', null],
        ['Task', null],
        ['Bash', 3],
      ]);
    }));
});
