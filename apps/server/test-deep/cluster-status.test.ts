import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Running, until, withHome } from '../test/harness.ts';
import { type Postgres, startPostgres, withDatabase } from './postgres.ts';

jest.setTimeout(120_000);

const PROJECT = `triggers:
  long:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nsleep 600\\n\`\`\`", tools: [Bash] }
    enabled: true
`;

interface Gone {
  readonly id: string;
  readonly how: string;
  readonly projects: number | null;
}

interface Status {
  readonly places: readonly { readonly node: string; readonly projects: number }[];
  readonly gone: readonly Gone[];
  readonly answeredBy: string;
  readonly nodes: readonly { readonly id: string; readonly running: number }[];
  readonly running: readonly { readonly node: string }[];
}

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

const statusOf = async (server: Running): Promise<Status> =>
  (await server.get('/api/status')).body as Status;

async function metricOf(server: Running, name: string): Promise<number> {
  const text = String((await server.get('/metrics')).body);
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

// proves: nodes.listed, nodes.figures, cli.status.servers
it('each of two servers reports both, and so does the command line', () =>
  withDatabase(postgres, ({ home, write, run, serve }, database) =>
    withHome(async (other) => {
      for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) {
        write(`projects/${slug}/project.yaml`, PROJECT);
      }
      const projects = { SVC_PROJECTS_DIR: join(home, 'projects') };
      const env = { SVC_DATABASE_URL: database.url, ...projects };
      const servers = [await serve(env), await other.serve(env)];
      const [first, second] = servers as [Running, Running];
      const sum = async (name: string): Promise<number> =>
        (await metricOf(first, name)) + (await metricOf(second, name));
      await until(async () => (await sum('svc_projects')) === 6 && (await sum('svc_nodes')) === 4);
      expect(await sum('svc_node_leads')).toBe(1);
      expect(await sum('svc_armed_triggers')).toBe(6);
      const ids = await Promise.all(servers.map(async (each) => (await statusOf(each)).answeredBy));
      expect(new Set(ids).size).toBe(2);
      await first.send('POST', '/api/projects/a/triggers/long/run');
      for (const server of servers) {
        const { nodes, running } = await until(async () => {
          const status = await statusOf(server);
          return status.running.length === 1 && status;
        });
        const { body } = await server.get('/api/nodes');
        expect((body as Status).nodes.map(({ id }) => id)).toEqual(ids);
        const owner = nodes.find((node) => node.running === 1);
        expect(running[0]?.node).toBe(owner?.id);
      }
      second.process.kill('SIGSTOP');
      const status = await until(async () => {
        const { out } = await run('status');
        return out.includes('SILENT') && out;
      });
      expect(status).toMatch(/^Servers: 2$/m);
      expect(status).toMatch(new RegExp(`^ {2}\\S+ \\(${ids[0]}, this one\\); .*: \\d$`, 'm'));
      expect(status).toMatch(
        new RegExp(`\\(${ids[1]}\\); .*; SILENT, last heartbeat 1\\d s ago; `),
      );
    }),
  ));

// proves: nodes.gone, cli.status.servers, nodes.holders, pausing.answer
it('shows the owner of a project, and for a killed server the time since its last heartbeat', () =>
  withDatabase(postgres, ({ home, write, run, serve }, database) =>
    withHome(async (other) => {
      for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) {
        write(`projects/${slug}/project.yaml`, PROJECT);
      }
      const env = { SVC_DATABASE_URL: database.url, SVC_PROJECTS_DIR: join(home, 'projects') };
      const first = await serve(env);
      const alone = (await run('status')).out;
      expect(alone).toMatch(/^Servers: 1$/m);
      expect(alone).toContain(`; ${first.url}; home ${home}; `);
      const second = await other.serve(env);
      await until(async () => (await statusOf(first)).places.length === 2);
      const { answeredBy, places } = await statusOf(second);
      await until(async () => (await metricOf(second, 'svc_projects')) > 0);
      const held = places.find(({ node }) => node === answeredBy)?.projects ?? 0;
      const { projects } = (await first.get('/api/projects')).body as {
        projects: { readonly node: string }[];
      };
      expect(projects.filter(({ node }) => node === answeredBy)).toHaveLength(held);
      expect((await statusOf(first)).gone).toEqual([]);
      expect((await run('pause')).out).toMatch(
        /^All triggers are paused on all 2 servers until svc resume\.\nAnswered by server \S+\.\n$/,
      );
      second.process.kill('SIGKILL');
      const [gone] = await until(async () => {
        const all = (await statusOf(first)).gone;
        return all.length > 0 && all;
      });
      expect(gone).toMatchObject({ id: answeredBy, how: 'lost', projects: held });
      const { out } = await run('status');
      const taken = held === 1 ? '1 project' : `${held} projects`;
      expect(out).toMatch(
        new RegExp(
          `^ {2}\\S+ \\(${answeredBy}\\); .*; LOST \\(killed or cut off\\), .*; ${taken} taken over 2\\d s later$`,
          'm',
        ),
      );
    }),
  ));
