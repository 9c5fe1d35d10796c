import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import type { TracedTurn } from '@svc/engine';
import type { Run, RunOutcome } from '@svc/records';
import { type Span, spanIdOf, traceIdOf } from '../src/span.ts';
import { createTracer } from '../src/tracer.ts';

const SLOT = Date.parse('2026-03-01T09:00:00.000Z');
const at = (ms: number): string => new Date(SLOT + ms).toISOString();
const tool = (kind: 'tool_use' | 'tool_result', callId: string, name: string) => ({
  ...{
    role: kind === 'tool_use' ? ('assistant' as const) : ('tool' as const),
    kind,
    text: 'secret',
  },
  tool: { callId, name },
});

function createTracing() {
  const clock = createFakeClock(SLOT);
  const spans: Span[] = [];
  const tracer = createTracer({
    clock,
    findProvider: () => ({ provider: 'openai', address: 'host', port: 443 }),
    isSampled: () => true,
    write: (span) => void spans.push(span),
  });
  return { clock, spans, tracer };
}

const runId = newId();
const turnId = newId();

const turn: TracedTurn = {
  ...{ id: turnId, sessionId: newId(), runId, project: 'demo', depth: 0, queuedAt: at(40) },
  ...{ runtime: 'native', model: 'm' },
  run: {
    ...{ source: 'trigger', trigger: 'nightly', cause: 'schedule', by: null },
    ...{ claimedAt: at(30), lateMs: 30 },
  },
  capability: {
    ...{ runsAs: 'agent', agentName: 'nightly', tools: [], permissionMode: 'default' },
    ...{ maxTurns: 9, maxSpawnDepth: 1 },
  },
};

const runWith = (more: Partial<Run>): Run => ({
  ...{ id: runId, project: 'demo', source: 'trigger', trigger: 'nightly', cause: 'schedule' },
  ...{ state: 'ended', scheduledFor: at(0), scheduledUntil: at(0), slotCount: 1 },
  ...{ claimedAt: at(30), startedAt: at(90), endedAt: at(5000), lateMs: 90, outcome: 'succeeded' },
  ...{ reason: null, sessionId: turn.sessionId, turnId, turns: 1, toolCalls: 1 },
  ...{ toolErrors: 0, denied: [], sandbox: null, network: null },
  ...{ runtime: 'native', model: 'm', tokensIn: 1, tokensOut: 2, cost: null },
  ...{ by: null, person: null },
  ...{ catchUp: false, eventId: null },
  ...more,
});

const ending = {
  ...{ outcome: 'succeeded' as const, reason: null, turns: 1, toolCalls: 2, toolErrors: 1 },
  denied: [],
  sandbox: 'enforced' as const,
  network: {
    reached: [
      { host: 'api.example.com', port: 443, count: 2 },
      { host: 'sk-secret.example.com', port: 443, count: 1 },
    ],
    refused: [{ host: 'a.example.com', port: 22, count: 4, reason: 'It is not allowed.' }],
  },
  ...{ model: 'm', tokensIn: 1, tokensOut: 2, costMicrousd: null },
};

describe('the spans of a fire', () => {
  // proves: traces.tree
  it('show what it waited for, and nest child turns below the call that started them', async () => {
    const { clock, spans, tracer } = createTracing();
    await clock.advance(90);
    const followed = tracer.follow(turn);
    followed.said(tool('tool_use', 'a', 'Task'), null);
    followed.said(tool('tool_use', 'b', 'Read'), 'a');
    await clock.advance(10);
    followed.asked({
      ...{ model: 'm', answeredBy: null, durationMs: 10, within: 'a', error: null },
      ...{ tokensIn: 1, tokensOut: 2, costMicrousd: null },
    });
    followed.said(tool('tool_result', 'b', 'Read'), 'a');
    followed.said(tool('tool_result', 'a', 'Task'), null);
    followed.ended(ending);
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named('claim')).toMatchObject({ begin: SLOT, end: SLOT + 30, parent: spanIdOf(runId) });
    expect(named('start')).toMatchObject({ begin: SLOT + 30, end: SLOT + 40 });
    expect(named('wait')).toMatchObject({ begin: SLOT + 40, end: SLOT + 90 });
    const task = named('execute_tool Task');
    expect(task).toMatchObject({ parent: spanIdOf(turnId), begin: SLOT + 90, end: SLOT + 100 });
    expect(named('execute_tool Read')).toMatchObject({ parent: task?.id });
    expect(named('chat m')).toMatchObject({ parent: task?.id, begin: SLOT + 90, end: SLOT + 100 });
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(runId)]));
    expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
  });

  // proves: traces.no-content
  it('contain no text that an agent or an endpoint made up', () => {
    const { spans, tracer } = createTracing();
    const followed = tracer.follow(turn);
    const words = 'curl -H "Authorization: Bearer sk-secret" https://host/argument';
    followed.said(tool('tool_use', words, words), null);
    followed.said(tool('tool_result', words, words), null);
    followed.asked({
      ...{ model: 'm', answeredBy: words, durationMs: 10, within: words, error: words },
      ...{ tokensIn: 1, tokensOut: 2, costMicrousd: null },
    });
    followed.ended(ending);
    tracer.ended(runWith({ sandbox: ending.sandbox, network: ending.network }));
    tracer.follow({ ...turn, id: newId(), runId: null, run: null }).ended(ending);
    expect(JSON.stringify(spans)).not.toContain('secret');
    const agents = spans.filter(({ name }) => name.startsWith('invoke_agent'));
    const counts = { 'svc.connections_reached': 3, 'svc.connections_refused': 4 };
    const attributes = { 'svc.sandbox': 'enforced', ...counts };
    expect(agents).toMatchObject([{ attributes }, { attributes }]);
    const [called, chat] = spans.filter(({ name }) => /^(execute_tool|chat)/.test(name));
    expect(called).toMatchObject({
      name: 'execute_tool other',
      attributes: { 'gen_ai.tool.name': 'other', 'gen_ai.tool.call.id': null },
    });
    expect(chat).toMatchObject({
      name: 'chat m',
      attributes: { 'gen_ai.response.model': null },
      error: { type: '_OTHER', message: null },
    });
  });

  // proves: traces.id
  it('are complete when this process ends a turn that another process started', () => {
    const { spans, tracer } = createTracing();
    tracer.ended(runWith({ outcome: 'interrupted', reason: 'The service stopped.' }));
    expect(spans).toMatchObject([
      { name: 'fire demo/nightly', id: spanIdOf(runId), parent: null, begin: SLOT, error: null },
      { name: 'invoke_agent nightly', id: spanIdOf(turnId), begin: SLOT + 90, end: SLOT + 5000 },
    ]);
  });

  it('of unanswered calls end with the turn', () => {
    const { spans, tracer } = createTracing();
    const followed = tracer.follow(turn);
    followed.said(tool('tool_use', 'a', 'Bash'), null);
    followed.ended({ ...ending, outcome: 'timed_out' });
    const left = spans.find(({ name }) => name === 'execute_tool Bash');
    expect(left?.error).toMatchObject({ type: 'timed_out' });
  });

  it('start with the claim when the slot is long past, and show the delay', () => {
    const { spans, tracer } = createTracing();
    const claimed = 3_600_000;
    const late = { claimedAt: at(claimed), startedAt: at(claimed + 50), endedAt: at(claimed + 99) };
    tracer.ended(runWith({ ...late, lateMs: claimed + 50, catchUp: true }));
    expect(spans[0]).toMatchObject({
      begin: SLOT + claimed,
      attributes: { 'svc.late_ms': claimed + 50, 'svc.catch_up': true },
    });
  });

  it('are those of the claim and its end when a fire could not start', () => {
    const { spans, tracer } = createTracing();
    const none = { startedAt: null, turnId: null, sessionId: null, lateMs: 30 };
    tracer.ended(runWith({ ...none, endedAt: at(60), outcome: 'failed', reason: 'No prompt.' }));
    expect(spans).toMatchObject([
      {
        name: 'fire demo/nightly',
        end: SLOT + 60,
        error: { type: 'failed', message: 'No prompt.' },
      },
      { name: 'claim', begin: SLOT, end: SLOT + 30 },
    ]);
  });

  it.each<RunOutcome>(['missed', 'skipped_overlap', 'skipped_paused', 'skipped_limit'])(
    'do not exist without a fire: %s',
    (outcome) => {
      const { spans, tracer } = createTracing();
      tracer.ended(runWith({ outcome, startedAt: null, turnId: null }));
      expect(spans).toEqual([]);
    },
  );
});
