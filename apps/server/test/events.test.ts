import { describe, expect, it, jest } from '@jest/globals';
import type { Chat, Run } from '@svc/records';
import { stringify } from 'yaml';
import { runsOf, transcript, writeSettings } from './agents.ts';
import { type Running, type TestHome, until, withHome } from './harness.ts';
import { callTool, openWire } from './wire.ts';

jest.setTimeout(60_000);

interface Listed {
  readonly id: string;
  readonly event: string;
  readonly sessionId: string;
  readonly chat: string;
  readonly by: string | null;
  readonly turnId: string | null;
  readonly dispatchedAt: string | null;
  readonly runs: readonly Pick<Run, 'id' | 'trigger' | 'state' | 'outcome'>[];
}

const DEMO = '/api/projects/demo';
const TOKEN = 'tok_home_archivist_0123456789abcdef';
const SETTINGS = {
  selfMcpEnabled: true,
  selfMcpWriteEnabled: true,
  curator: { delay: '1s' },
  managementApi: {
    instanceId: 'home',
    publicUrl: 'https://svc.example.com',
    clients: { archivist: { auth: { ref: 'env:ARCHIVIST' }, scope: { allow: ['*'] } } },
  },
};
const ARCHIVE = 'mcp__svc_manage__archive_chat';

const onArchive = (run: object) => ({
  trigger: { type: 'event', on: 'onArchive' },
  run,
  enabled: true,
});
const archiveStep = (sessionId: string): string =>
  `\`\`\`tool ${ARCHIVE}\n${JSON.stringify({ session_id: sessionId })}\n\`\`\`\n`;

/** A server with one project that has these triggers. */
async function withProject(
  triggers: object,
  test: (server: Running, home: TestHome) => Promise<void>,
): Promise<void> {
  await withHome(async (home) => {
    writeSettings(home, SETTINGS);
    home.write('projects/demo/project.yaml', stringify({ triggers }));
    await test(await home.serve({ ARCHIVIST: TOKEN }), home);
  });
}

/** An ended chat of a user. */
async function chat(server: Running, name: string): Promise<string> {
  const prompt = 'Hello.';
  const made = await server.send('POST', `${DEMO}/chats`, { name, prompt });
  const { sessionId } = made.body as Chat;
  await until(async () => !(await chatOf(server, sessionId)).running);
  return sessionId;
}

async function chatOf(server: Running, sessionId: string): Promise<Chat> {
  return (await server.get(`${DEMO}/chats/${sessionId}`)).body as Chat;
}

const archive = (server: Running, sessionId: string) =>
  server.send('POST', `${DEMO}/chats/${sessionId}/archive`);

async function events(server: Running, query = 'event=onArchive'): Promise<readonly Listed[]> {
  return ((await server.get(`${DEMO}/events?${query}`)).body as { events: Listed[] }).events;
}

/** The events, newest first, once this number was dispatched and all their runs have ended. */
const settled = (server: Running, count: number, query?: string): Promise<readonly Listed[]> =>
  until(async () => {
    const listed = await events(server, query);
    const isOver = listed.every(
      ({ dispatchedAt, runs }) =>
        dispatchedAt !== null && runs.every(({ state }) => state === 'ended'),
    );
    return listed.length === count && isOver ? listed : null;
  });

const runOf = async (server: Running, trigger: string): Promise<Run> =>
  (await runsOf(server)).find((run) => run.trigger === trigger) as Run;

describe('a chat that is archived', () => {
  // proves: events.server.rest, events.list, events.data.chat
  it('over REST starts each hook once, in a chat that describes the event', () =>
    withProject(
      {
        writes: onArchive({
          prompt: '```write note.txt\nthe chat is archived\n```\n',
          tools: ['Write'],
        }),
        bare: onArchive({ prompt: '```bash\ntouch bare.txt\n```\n' }),
      },
      async (server, home) => {
        const sessionId = await chat(server, 'The door');
        expect((await archive(server, sessionId)).status).toBe(200);
        const [event] = await settled(server, 1);
        const [bare, writes] = [await runOf(server, 'bare'), await runOf(server, 'writes')];
        expect(event).toMatchObject({
          ...{ event: 'onArchive', sessionId, chat: 'The door', by: 'user', turnId: null },
          runs: [
            { id: bare.id, trigger: 'bare', state: 'ended', outcome: 'denied' },
            { id: writes.id, trigger: 'writes', state: 'ended', outcome: 'succeeded' },
          ],
        });
        for (const run of [bare, writes]) {
          expect(run).toMatchObject({ cause: 'event', by: null, eventId: event?.id });
        }
        expect(bare.denied).toMatchObject([{ tool: 'Bash' }]);
        expect(home.read('projects/demo/note.txt')).toBe('the chat is archived\n');
        expect(home.tryRead('projects/demo/bare.txt')).toBe('');
        const [banner, prompt] = await transcript(server, writes.sessionId);
        expect(banner?.text).toContain('Tools: Write.');
        expect(prompt?.text).toContain(`Fired by the event onArchive of the chat`);
        expect(prompt?.text).toContain('The door');
        expect(prompt?.text).toContain(sessionId);
        const [plain] = await transcript(server, bare.sessionId);
        expect(plain?.text).toContain('Tools: none. It can only reply.');
        expect(await events(server, `id=${event?.id}`)).toEqual([event]);
        expect((await archive(server, sessionId)).status).toBe(200);
        expect(await settled(server, 1)).toEqual([event]);
      },
    ));

  // proves: events.server.mcp
  it('by a client or by the agent of a schedule starts hooks too, once for repeated archiving', () =>
    withProject(
      { hook: onArchive({ prompt: '```bash\ntrue\n```\n', tools: ['Bash'] }) },
      async (server) => {
        const byClient = await chat(server, 'For the client');
        const byAgent = await chat(server, 'For the agent');
        const asked = { project: 'demo', session_id: byClient };
        const wire = openWire(server.url);
        await callTool(wire, TOKEN, 'archive_chat', asked);
        wire.end();
        await settled(server, 1);
        await server.send('PUT', `${DEMO}/triggers/tidy`, {
          trigger: { type: 'schedule', interval: '1s' },
          run: { prompt: archiveStep(byAgent), tools: [ARCHIVE] },
          enabled: true,
        });
        const listed = await settled(server, 2);
        expect(listed).toMatchObject([
          { sessionId: byAgent, runs: [{ trigger: 'hook', outcome: 'succeeded' }] },
          { sessionId: byClient, by: 'client:archivist', runs: [{ trigger: 'hook' }] },
        ]);
        const tidying = await until(async () => {
          const runs = (await runsOf(server)).filter(({ trigger }) => trigger === 'tidy');
          const ended = runs.filter(({ outcome }) => outcome === 'succeeded');
          return ended.length > 1 && ended;
        });
        expect(tidying.map(({ turnId }) => turnId)).toContain(listed[0]?.turnId);
        expect(tidying.every(({ cause }) => cause === 'schedule')).toBe(true);
        expect((await events(server)).map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
      },
    ));

  // proves: events.loops
  it('by the turn of a hook starts nothing', () =>
    withProject(
      { hook: onArchive({ promptFile: 'hook.md', tools: [ARCHIVE] }) },
      async (server, home) => {
        const [first, second] = [await chat(server, 'First'), await chat(server, 'Second')];
        home.write('projects/demo/.svc/triggers/hook.md', archiveStep(second));
        await archive(server, first);
        const listed = await settled(server, 1);
        expect(listed).toMatchObject([{ sessionId: first, runs: [{ outcome: 'succeeded' }] }]);
        expect((await chatOf(server, second)).archived).toBe(true);
        await archive(server, second);
        expect(await settled(server, 1)).toEqual(listed);
      },
    ));
});

const OVERVIEW = '<!-- file: OVERVIEW.md -->\n# Demo\n\nA door.\n<!-- end -->\n';
const LOOK = '```tool Glob\n{ "pattern": "*" }\n```\n\n';
const afterTurn = (prompt: string) => ({
  trigger: { type: 'event', on: 'afterTurn' },
  run: { prompt, tools: ['Glob'] },
  enabled: true,
});

describe('a curator', () => {
  // proves: events.server.curator, settings.curator-delay
  it('updates the overview after the configured delay, and its run reports the changes', () =>
    withProject(
      { keeps: afterTurn(`${LOOK}${OVERVIEW}`), late: afterTurn('```bash\ntrue\n```\n') },
      async (server, home) => {
        const sessionId = await chat(server, 'A question');
        const [event] = await settled(server, 1, 'event=afterTurn');
        expect(event).toMatchObject({ sessionId, by: null, runs: [{ trigger: 'keeps' }] });
        expect(home.read('projects/demo/.svc/OVERVIEW.md')).toBe('# Demo\n\nA door.\n');
        expect(await runOf(server, 'keeps')).toMatchObject({
          ...{ cause: 'event', outcome: 'succeeded', eventId: event?.id },
          reason: 'OVERVIEW.md: created, 3 lines.',
        });
        expect(await runOf(server, 'late')).toBeUndefined();
        const { body } = await server.get(`${DEMO}/triggers`);
        const { triggers } = body as { triggers: { name: string; warnings?: unknown }[] };
        expect(triggers.find(({ name }) => name === 'late')?.warnings).toMatchObject([
          { path: 'trigger.on' },
        ]);
        expect((await server.get('/api/settings')).body).toMatchObject({
          settings: { 'curator.delay': { value: '1s', source: 'file' } },
        });
      },
    ));
});
