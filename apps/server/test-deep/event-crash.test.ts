import { describe, expect, it, jest } from '@jest/globals';
import { type Running, type TestHome, until, withHome } from '../test/harness.ts';
import { killAt } from './kill-at.ts';

jest.setTimeout(120_000);

const DEMO = '/api/projects/demo';
const HOOKED = `triggers:
  hook:
    trigger: { type: event, on: onArchive }
    run:
      tools: [Bash]
      prompt: |
        Go.

        \`\`\`bash
        echo $SVC_RUN_ID >> begun.log
        \`\`\`
    enabled: true
  keeps:
    trigger: { type: event, on: afterTurn }
    run: { prompt: "Keep it true." }
    enabled: true
`;

interface RecordedEvent {
  readonly event: string;
  readonly runs: readonly { readonly trigger: string; readonly state: string }[];
}

/** An ended chat of a user, from a server that was stopped normally. */
async function makeChat(home: TestHome): Promise<string> {
  const server = await home.serve();
  const made = await server.send('POST', `${DEMO}/chats`, { prompt: 'Hello.' });
  const { sessionId } = made.body as { sessionId: string };
  await until(async () => {
    const { body } = await server.get(`${DEMO}/chats/${sessionId}`);
    return !(body as { running: boolean }).running;
  });
  await server.stop();
  return sessionId;
}

async function settledEvents(server: Running): Promise<readonly RecordedEvent[]> {
  return until(async () => {
    const { events } = (await server.get(`${DEMO}/events`)).body as { events: RecordedEvent[] };
    const isOver = ({ runs }: RecordedEvent) =>
      runs.length > 0 && runs.every(({ state }) => state === 'ended');
    return events.length === 2 && events.every(isOver) ? events : null;
  }, 60);
}

describe('killed with SIGKILL while an event is processed', () => {
  // proves: events.kill, events.cover
  it.each([
    'before the event is stored',
    'after the event is stored',
    'before dispatch',
    'after dispatch',
    'between claim and start',
    'after the turn is written',
    'before the turn starts',
    'after the turn starts',
    'before the final write',
    'after the final write',
  ])('%s: one run of the hook, and one of the curator', (point) =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', HOOKED);
      const sessionId = await makeChat(home);
      await killAt(home, point, `${DEMO}/chats/${sessionId}/archive`);
      home.write('svc.config.yaml', 'curator: { delay: 1s }\n');
      const server = await home.serve();
      await server.send('POST', `${DEMO}/chats/${sessionId}/archive`);
      const events = await settledEvents(server);
      const triggers = events.map(({ event, runs }) => [event, runs.map(({ trigger }) => trigger)]);
      expect(triggers).toEqual([
        ['onArchive', ['hook']],
        ['afterTurn', ['keeps']],
      ]);
      const runs = (await server.get(`${DEMO}/runs`)).body as { runs: unknown[] };
      expect(runs.runs).toHaveLength(2);
      const begun = home.tryRead('projects/demo/begun.log').split('\n').filter(Boolean);
      expect(begun.length).toBe(point === 'after the turn starts' ? 0 : 1);
    }),
  );
});
