import { beforeAll, describe, expect, it } from '@jest/globals';
import { startScriptedEndpoint } from '@svc/agent-runtime/testing';
import type { Run } from '@svc/records';
import { stringify } from 'yaml';
import { fire, runsOf, writeProject, writeSettings } from './agents.ts';
import { until, withHome } from './harness.ts';
import { type CollectedSpan, withCollector } from './trace-collector.ts';

const SECRET = 'a-secret-word';
const call = (name: string, input: object) => ({ name, input });
const idOf = (uuid: string | null): string => (uuid ?? '').replaceAll('-', '');

interface Seen {
  readonly spans: readonly CollectedSpan[];
  readonly runs: Readonly<Record<string, Run>>;
  readonly chat: string;
  readonly traceparent: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What a collector receives for a run with a model, a run of a slot, a failed run and a turn in a chat. */
async function see(): Promise<Seen> {
  const endpoint = await startScriptedEndpoint();
  const found: { seen?: Seen } = {};
  try {
    await withCollector((collector) =>
      withHome(async (home) => {
        const native = { model: 'scripted', baseUrl: endpoint.baseUrl };
        const headers = { 'x-collector-key': { ref: 'env:COLLECTOR_KEY' } };
        const telemetry = { traces: { url: collector.url, headers }, resource: { team: 'night' } };
        writeSettings(home, { runtime: { native }, telemetry });
        const prompt = endpoint.promptOf([
          call('Bash', { command: `echo ${SECRET}; printenv TRACEPARENT > parent.txt` }),
          call('Read', { file_path: 'nothing.md' }),
        ]);
        writeProject(home, {
          work: { prompt, tools: ['Bash', 'Read'], permissionMode: 'bypassPermissions' },
          broken: { prompt: 'Do something.', runtime: 'native', model: 'playbook' },
        });
        home.write(
          'projects/slots/project.yaml',
          stringify({
            triggers: {
              tick: {
                trigger: { type: 'schedule', interval: '1s' },
                enabled: true,
                run: { prompt: '```write a.txt\nb\n```', model: 'playbook', tools: ['Write'] },
              },
            },
          }),
        );
        const server = await home.serve({ COLLECTOR_KEY: 'key-of-the-collector' });
        const work = await fire(server, 'work');
        const broken = await fire(server, 'broken');
        const said = await server.send('POST', '/api/projects/demo/chats', {
          prompt: endpoint.promptOf([call('Read', { file_path: 'parent.txt' })]),
        });
        const { sessionId: chat } = said.body as { sessionId: string };
        const tick = await until(async () => {
          const { body } = await server.get('/api/projects/slots/runs?limit=50');
          return (body as { runs: Run[] }).runs.find(({ outcome }) => outcome === 'succeeded');
        });
        await until(async () => {
          const { body } = await server.get(`/api/projects/demo/chats/${chat}`);
          return (body as { running: boolean }).running === false;
        });
        expect(await server.stop()).toBe(0);
        found.seen = {
          ...{ spans: collector.spans, chat, runs: { work, broken, tick } },
          traceparent: home.read('projects/demo/parent.txt').trim(),
          headers: collector.requests[0]?.headers ?? {},
        };
      }),
    );
  } finally {
    await endpoint.close();
  }
  if (found.seen === undefined) throw new Error('no spans were collected');
  return found.seen;
}

describe('the traces of a service with a collector', () => {
  let seen: Seen;
  beforeAll(async () => {
    seen = await see();
  });

  const traceOf = (run: string | null): readonly CollectedSpan[] =>
    seen.spans.filter(({ traceId }) => traceId === idOf(run));
  /** Names of spans, each below its parent. */
  const treeOf = (spans: readonly CollectedSpan[], parent = ''): object =>
    spans
      .filter((span) => span.parent === parent)
      .sort((a, b) => a.begin - b.begin)
      .map(({ name, id }) => {
        const below = treeOf(spans, id) as readonly object[];
        return below.length === 0 ? name : [name, below];
      });

  // proves: traces.tree, traces.id, traces.flush
  it('are one tree per fire, with the id of its run', () => {
    const spans = traceOf(seen.runs['work']?.id ?? '');
    expect(treeOf(spans)).toEqual([
      [
        'fire demo/work',
        [
          'start',
          'wait',
          [
            'invoke_agent work',
            [
              'chat scripted',
              'execute_tool Bash',
              'chat scripted',
              'execute_tool Read',
              'chat scripted',
            ],
          ],
        ],
      ],
    ]);
  });

  // proves: traces.tree
  it('name the model and its usage in the conventions for generative AI', () => {
    const run = seen.runs['work'];
    const spans = traceOf(run?.id ?? '');
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named('invoke_agent work')).toMatchObject({
      kind: 1,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'openai',
        'gen_ai.agent.name': 'work',
        'gen_ai.conversation.id': run?.sessionId,
        'gen_ai.usage.input_tokens': 30,
        'svc.turn_id': run?.turnId,
        'svc.model_calls': 3,
      },
    });
    expect(named('chat scripted')).toMatchObject({
      kind: 3,
      status: 0,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'scripted',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 2,
        'server.address': '127.0.0.1',
      },
    });
    expect(named('execute_tool Bash')).toMatchObject({ status: 0 });
    expect(named('execute_tool Read')).toMatchObject({
      status: 2,
      attributes: { 'gen_ai.tool.name': 'Read', 'error.type': 'tool_error' },
    });
    expect(named('fire demo/work')).toMatchObject({
      kind: 5,
      status: 0,
      attributes: { 'svc.outcome': 'succeeded', 'svc.cause': 'manual', 'svc.run_id': run?.id },
      resource: { 'service.name': 'svc', 'service.version': '0.1.0', team: 'night' },
    });
  });

  // proves: traces.tree
  it('start with the slot, which was waiting for its claim, and show no model for a playbook', () => {
    const run = seen.runs['tick'];
    const spans = traceOf(run?.id ?? '');
    expect(treeOf(spans)).toEqual([
      [
        'fire slots/tick',
        ['claim', 'start', 'wait', ['invoke_agent tick', ['execute_tool Write']]],
      ],
    ]);
    const [root, claim] = ['fire slots/tick', 'claim'].map((name) =>
      spans.find((span) => span.name === name),
    );
    const slot = Date.parse(run?.scheduledFor ?? '');
    expect(root?.begin).toBe(slot);
    expect(claim?.begin).toBe(slot);
    expect(claim?.end).toBe(Date.parse(run?.claimedAt ?? ''));
    expect(root).toMatchObject({
      end: Date.parse(run?.endedAt ?? ''),
      attributes: { 'svc.scheduled_for': run?.scheduledFor, 'svc.late_ms': run?.lateMs },
    });
  });

  // proves: traces.tree
  it('end with an error and its reason when the run failed', () => {
    const { id = '', outcome, reason } = seen.runs['broken'] ?? {};
    const root = traceOf(id).find(({ parent }) => parent === '');
    expect(outcome).toBe('no_model');
    expect(root).toMatchObject({
      status: 2,
      message: reason,
      attributes: { 'error.type': 'no_model', 'svc.outcome': 'no_model' },
    });
  });

  // proves: traces.chats
  it('include turns in chats', () => {
    const roots = seen.spans.filter(
      ({ parent, attributes }) =>
        parent === '' && attributes['gen_ai.conversation.id'] === seen.chat,
    );
    expect(roots).toHaveLength(1);
    const spans = seen.spans.filter(({ traceId }) => traceId === roots[0]?.traceId);
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['chat scripted', 'execute_tool Read']),
    );
  });

  // proves: traces.id
  it('are continued by programs of agents, whose environment has the trace id', () => {
    const { id, turnId } = seen.runs['work'] ?? {};
    expect(seen.traceparent).toBe(`00-${idOf(id ?? '')}-${idOf(turnId ?? '').slice(-16)}-01`);
  });

  // proves: traces.no-content, traces.settings
  it('contain no message text, and carry the configured headers', () => {
    expect(JSON.stringify(seen.spans)).not.toContain(SECRET);
    expect(JSON.stringify(seen.spans)).not.toContain('nothing.md');
    expect(seen.headers).toMatchObject({
      'x-collector-key': 'key-of-the-collector',
      'content-type': 'application/x-protobuf',
    });
  });
});

// proves: traces.harmless
it('are dropped by a failing collector with one log line at the start and one at the end, and runs are unaffected', () =>
  withCollector((collector) =>
    withHome(async (home) => {
      writeProject(home, {
        work: {
          prompt: '```bash\ntrue\n```',
          permissionMode: 'bypassPermissions',
          tools: ['Bash'],
        },
      });
      const server = await home.serve({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
        OTEL_BSP_SCHEDULE_DELAY: '20',
      });
      collector.respond = (response) => response.writeHead(403).end('no');
      const refused = async (runs: number): Promise<void> => {
        for (let n = 0; n < runs; n += 1) {
          const before = collector.requests.length;
          expect(await fire(server, 'work')).toMatchObject({ outcome: 'succeeded' });
          await until(async () => collector.requests.length > before);
        }
      };
      await refused(3);
      collector.respond = null;
      await refused(1);
      await until(async () => server.lines.find(({ msg }) => msg === 'exporting traces again'));
      const logged = server.lines.filter(({ msg }) => String(msg).includes(' traces'));
      expect(logged).toMatchObject([
        {
          msg: 'cannot export traces',
          to: collector.url.replace('v1/traces', '…'),
          error: 'It answered with status 403.',
        },
        { msg: 'exporting traces again' },
      ]);
      const metrics = String((await server.get('/metrics')).body);
      expect(metrics).toMatch(/^svc_trace_spans_total\{result="failed"\} \d+$/m);
      expect(metrics).toMatch(/^svc_trace_spans_total\{result="sent"\} \d+$/m);
      expect(await runsOf(server)).toHaveLength(4);
    }),
  ));

// proves: traces.settings
it('report a header with a missing value, and nothing is sent without it', () =>
  withCollector((collector) =>
    withHome(async (home) => {
      const headers = { authorization: { ref: 'env:NOT_THERE' } };
      writeSettings(home, { telemetry: { traces: { url: collector.url, headers } } });
      const server = await home.serve();
      expect(server.lines).toContainEqual(
        expect.objectContaining({
          msg: 'cannot export traces',
          error:
            'The value of the header authorization is missing. Export NOT_THERE and restart svc.',
        }),
      );
      const { body } = await server.get('/api/settings');
      expect(body).toMatchObject({
        settings: { 'telemetry.traces.url': { value: `${collector.origin}/…`, source: 'file' } },
      });
      await server.stop();
      expect(collector.requests).toEqual([]);
    }),
  ));
