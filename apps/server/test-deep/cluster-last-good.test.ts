import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Running, until, withHome } from '../test/harness.ts';
import { type Postgres, startPostgres, withDatabase } from './postgres.ts';

jest.setTimeout(120_000);

const entry = (interval: string): string => `triggers:
  it:
    trigger: { type: schedule, interval: ${interval} }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`", tools: [Bash] }
    enabled: true
`;

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

async function firesPerDay(server: Running): Promise<unknown> {
  const { body } = await server.get('/api/projects/demo/triggers');
  const { triggers } = body as { triggers: { schedule: { firesPerDay: number } }[] };
  return triggers[0]?.schedule.firesPerDay;
}

async function isArmed(server: Running): Promise<boolean> {
  const { body } = await server.get('/metrics');
  return /^svc_armed_triggers 1$/m.test(String(body));
}

// proves: nodes.last-good
it('the last good version of a broken file is armed on whichever server becomes the owner', () =>
  withDatabase(postgres, ({ home, write, serve }, database) =>
    withHome(async (other) => {
      write('projects/demo/project.yaml', entry('1h'));
      const projects = { SVC_PROJECTS_DIR: join(home, 'projects') };
      const env = { SVC_DATABASE_URL: database.url, ...projects };
      const first = await serve(env);
      expect(await firesPerDay(first)).toBe(24);
      write('projects/demo/project.yaml', entry('2h'));
      await until(async () => (await firesPerDay(first)) === 12);
      write('projects/demo/project.yaml', `${entry('3h')}  - : [\n`);
      const second = await other.serve(env);
      await first.stop();
      await until(() => isArmed(second));
      expect(await firesPerDay(second)).toBe(12);
    }),
  ));
