import { describe, expect, it } from '@jest/globals';
import type { Run } from '@svc/records';
import { fire, transcript, withAnswers, writeSettings } from './agents.ts';
import { type TestHome, until, withHome } from './harness.ts';

const CURATOR = `triggers:
  notes:
    trigger: { type: event, on: afterTurn }
    run: { prompt: Keep the notes., model: curator }
    enabled: true
`;
const ANSWER =
  'Here.\n<!-- file: OVERVIEW.md -->\n# Door\nIt is fixed.\n<!-- end -->\n<!-- file: CHANGELOG.md -->\n- Fixed.\n<!-- end -->';

function streamed(content: string): string {
  const chunk = { choices: [{ delta: { content }, finish_reason: 'stop' }] };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

/** A home with a curator whose model always answers the same, and another model for chats. */
async function withCurator(test: (home: TestHome) => Promise<void>): Promise<void> {
  const head = { 'content-type': 'text/event-stream' };
  const saying = (text: string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(200, head).end(streamed(text));
  await withAnswers({ curator: saying(ANSWER), talk: saying('Done.') }, (baseUrl) =>
    withHome(async (home) => {
      writeSettings(home, { runtime: { native: { model: 'talk', baseUrl } } });
      home.write('projects/demo/project.yaml', CURATOR);
      await test(home);
    }),
  );
}

describe('a curator', () => {
  // proves: curator.files.written, curator.run.reason
  it('updates the notes of a project, and its run and its chat report the changes', () =>
    withCurator(async (home) => {
      home.write('projects/demo/.svc/OVERVIEW.md', '# Door\nIt is broken.\n');
      const server = await home.serve();
      const chat = { prompt: 'Fix the door.' };
      const made = await server.send('POST', '/api/projects/demo/chats', chat);
      const { sessionId } = made.body as { sessionId: string };
      await until(async () => (await transcript(server, sessionId)).at(-1)?.text === 'Done.');
      const run = await fire(server, 'notes');
      expect(run).toMatchObject({
        outcome: 'succeeded',
        reason: 'OVERVIEW.md: 1 line added, 1 removed; CHANGELOG.md: created, 1 line.',
      });
      expect(home.read('projects/demo/.svc/OVERVIEW.md')).toBe('# Door\nIt is fixed.\n');
      expect(home.read('projects/demo/.svc/CHANGELOG.md')).toBe('- Fixed.\n');
      const message = (await transcript(server, run.sessionId)).at(-1);
      expect(message).toMatchObject({ kind: 'notice', role: 'system' });
      expect(message?.text).toContain('```diff\n--- .svc/OVERVIEW.md\n');
      expect(message?.text).toContain('\n-It is broken.\n+It is fixed.\n');
      const { body } = await server.get('/api/projects/demo/runs?limit=5');
      expect((body as { runs: Run[] }).runs[0]?.reason).toBe(run.reason);
    }));

  // proves: curator.run.reason, curator.sections.none
  it('prints its result on the command line', () =>
    withCurator(async (home) => {
      const summary = 'OVERVIEW.md: created, 2 lines; CHANGELOG.md: created, 1 line.';
      const fired = await home.run('fire', 'demo', 'notes', '--wait');
      expect(fired.out).toContain(`succeeded: ${summary}\n`);
      const again = await home.run('fire', 'demo', 'notes');
      expect(again).toMatchObject({
        code: 0,
        out: expect.stringMatching(/\nsucceeded: No file was changed\.\n$/),
      });
    }));

  // proves: curator.first
  it('in addition to another one gets a warning from the check of files', () =>
    withHome(async (home) => {
      const more = CURATOR.replace('triggers:\n', '').replace('notes', 'more');
      home.write('projects/demo/project.yaml', CURATOR + more);
      expect(await home.run('validate', 'demo')).toMatchObject({
        code: 0,
        out: expect.stringMatching(
          /project\.yaml:7:\d+ warning more: trigger\.on is afterTurn, but notes comes first in the file/,
        ),
      });
    }));
});
