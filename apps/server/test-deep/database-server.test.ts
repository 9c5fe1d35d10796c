import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Postgres, startPostgres, withDatabase, withPassword } from './postgres.ts';

jest.setTimeout(120_000);

const PASSWORD = 'correct-horse-battery';

const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run:
      prompt: "\`\`\`bash\\nenv; echo the word is ${PASSWORD}\\n\`\`\`"
      tools: [Bash]
`;

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

describe('a home with a server database', () => {
  // proves: settings.database-on-server
  it('stores nothing in a file, and finds everything after a restart', () =>
    withDatabase(postgres, async ({ home, write, serve }, database) => {
      write('projects/demo/project.yaml', PROJECT);
      const env = { SVC_DATABASE_URL: database.url };
      const first = await serve(env);
      const { body } = await first.send('POST', '/api/projects/demo/chats', { prompt: 'Hello' });
      const { sessionId } = body as { sessionId: string };
      await first.stop();
      expect(existsSync(join(home, 'data/svc.db'))).toBe(false);
      const second = await serve(env);
      const chats = await second.get('/api/projects/demo/chats');
      expect(chats.body).toMatchObject({ chats: [{ sessionId }] });
      expect(await second.stop()).toBe(0);
    }));

  // proves: settings.database-on-server
  it('accepts one process at a time all the same', () =>
    withDatabase(postgres, async ({ run, serve }, database) => {
      const env = { SVC_DATABASE_URL: database.url };
      await serve(env);
      expect(await run('serve', '--port', '0')).toMatchObject({
        code: 1,
        error: expect.stringContaining('is already using the home folder'),
      });
    }));

  // proves: settings.database-url
  it('gives agents neither its address nor its password', () =>
    withDatabase(postgres, async ({ write, run, serve }, database) => {
      write('projects/demo/project.yaml', PROJECT);
      const url = withPassword(database.url, PASSWORD);
      const server = await serve({ SVC_DATABASE_URL: url, PGPASSWORD: 'another-password' });
      const { out, code } = await run('fire', 'demo', 'it', '--wait');
      expect([code, out]).toEqual([0, expect.stringContaining('PATH=')]);
      expect(out).toContain('the word is [redacted]');
      expect(out).not.toMatch(/SVC_DATABASE_URL|PGPASSWORD|another-password/);
      const settings = JSON.stringify((await server.get('/api/settings')).body);
      const output = [settings, out, JSON.stringify(server.lines), server.stderr()].join('\n');
      expect(output).not.toContain(PASSWORD);
      expect(settings).toContain(url.replace(PASSWORD, '***'));
    }));
});
