import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { withEndpoint } from './agents.ts';
import { runCommand, type TestHome, withHome } from './harness.ts';

const doctor = (home: TestHome, env = {}) => {
  home.write('projects/.keep', '');
  return runCommand(['doctor', '--home', home.home], env);
};
const init = (home: TestHome, ...options: string[]) => home.run('init', '--runtime', ...options);
const answering =
  (status: number, body = '') =>
  (response: ServerResponse) =>
    response.writeHead(status).end(body);
const settingsOf = (home: TestHome) => parse(home.read('svc.config.yaml')) as object;

// proves: runtimes.doctor
describe('svc doctor', () => {
  it('reports that the playbook is verified, and that it is no AI', () =>
    withHome(async (home) => {
      const { code, out, error } = await doctor(home);
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(/^native \(default\): ready\n/);
      expect(out).toContain('  model      playbook (no AI)');
      expect(out).toMatch(/ {2}self-test {2}passed/);
    }));

  it('checks whether a server listens at the address of a model, and fails otherwise', () =>
    withEndpoint(answering(404), async (url) => {
      await withHome(async (home) => {
        home.write('svc.config.yaml', `runtime: { native: { model: m, baseUrl: "${url}" } }\n`);
        const there = await doctor(home);
        expect([there.code, there.error]).toEqual([0, '']);
        expect(there.out).toContain(`  model      m at ${url}`);
        const nowhere = url.replace(/:\d+/, ':9');
        home.write('svc.config.yaml', `runtime: { native: { model: m, baseUrl: "${nowhere}" } }\n`);
        const gone = await doctor(home);
        expect(gone.code).toBe(1);
        expect(gone.out).toContain('native (default): not ready\n');
        expect(gone.out).toContain(
          `no answer from ${nowhere}. Start the endpoint, or correct baseUrl.`,
        );
      });
    }));

  it('checks an endpoint through the proxy that HTTP_PROXY names', () =>
    withEndpoint(answering(404), async (url) => {
      const asked: string[] = [];
      const proxy = createServer().on('connect', (request: IncomingMessage, socket: Socket) => {
        asked.push(request.url ?? '');
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const target = connect(Number(new URL(url).port), '127.0.0.1');
        socket
          .on('error', () => {})
          .pipe(target.on('error', () => {}))
          .pipe(socket);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      try {
        await withHome(async (home) => {
          const native = '{ model: m, baseUrl: "http://models.example/v1" }';
          home.write('svc.config.yaml', `runtime: { native: ${native} }\n`);
          const { out, error } = await doctor(home, { HTTP_PROXY: `http://127.0.0.1:${port}` });
          expect(error).toBe('');
          expect(out).toContain('http://models.example/v1/models was not found');
          expect(asked).toEqual(['models.example:80']);
        });
      } finally {
        proxy.close();
      }
    }));

  it.each(['http://user:a-password@127.0.0.1:9', 'socks5://user:a-password@127.0.0.1:9'])(
    'names the proxy that an endpoint cannot be reached through, without its password: %s',
    (proxy) =>
      withHome(async (home) => {
        const native = '{ model: m, baseUrl: "https://models.example/v1" }';
        home.write('svc.config.yaml', `runtime: { native: ${native} }\n`);
        const { code, out } = await doctor(home, { HTTPS_PROXY: proxy });
        expect(code).toBe(1);
        expect(out).toContain(
          'https://models.example/v1 cannot be reached through the proxy. Check HTTPS_PROXY,',
        );
        expect(out).not.toContain('a-password');
      }),
  );

  it.each([
    ['a model that is not listed', 200, 'qwen9', ' does not list model "qwen9" '],
    ['a model under its tag', 200, 'qwen3', null],
    ['a required key', 401, 'qwen3', 'requires a key. Name its variable in runtime.native'],
    ['a wrong path', 404, 'qwen3', '/models was not found'],
  ])('reports what is likely to fail: %s', (_, status, model, words) =>
    withEndpoint(
      answering(status, JSON.stringify({ data: [{ id: 'qwen3:latest' }] })),
      async (url) => {
        await withHome(async (home) => {
          home.write(
            'svc.config.yaml',
            `runtime: { native: { model: ${model}, baseUrl: "${url}" } }\n`,
          );
          const { out } = await doctor(home);
          expect(out).toMatch(/^native \(default\): ready\n/);
          if (words === null) expect(out).not.toMatch(/^ {2}next/);
          else
            expect(out).toMatch(
              new RegExp(`^native .*\n {2}next {7}.*${words.replaceAll('.', '\\.')}`),
            );
        });
      },
    ),
  );

  it('names the variable of a missing key, and never shows a key', () =>
    withEndpoint(answering(404), async (url) => {
      await withHome(async (home) => {
        const native = `{ model: m, baseUrl: "${url}", apiKey: { ref: env:MODEL_KEY } }`;
        home.write('svc.config.yaml', `runtime: { native: ${native} }\n`);
        const without = await doctor(home);
        expect(without.code).toBe(1);
        expect(without.out).toContain('Export MODEL_KEY');
        const given = await doctor(home, { MODEL_KEY: 'sk-very-secret' });
        expect(given.code).toBe(0);
        expect(given.out + given.error).not.toContain('sk-very-secret');
      });
    }));
});

// proves: runtimes.init
describe('svc init --runtime', () => {
  it.each([
    [
      ['claude', '--model', 'sonnet'],
      { default: 'claude', claude: { model: 'sonnet', apiKey: { ref: 'env:ANTHROPIC_API_KEY' } } },
      'export ANTHROPIC_API_KEY=...',
    ],
    [
      ['openai'],
      { default: 'native', native: { model: 'qwen3', baseUrl: 'http://127.0.0.1:11434/v1' } },
      'ollama pull qwen3',
    ],
    [
      ['openai', '--base-url', 'https://models.example/v1', '--model', 'm'],
      {
        default: 'native',
        native: {
          model: 'm',
          baseUrl: 'https://models.example/v1',
          apiKey: { ref: 'env:OPENAI_API_KEY' },
        },
      },
      'export OPENAI_API_KEY=...',
    ],
    [
      ['external', '--command', '/opt/my agent', '--protocol', 'text'],
      {
        default: 'my-agent',
        external: { 'my-agent': { command: '/opt/my agent', protocol: 'text' } },
      },
      'runtime.external.my-agent.env',
    ],
  ])(
    '%j creates a home with these settings, a trigger that uses them, and shows the next steps',
    async (options, runtime, next) => {
      await withHome(async (home) => {
        const { code, out, error } = await init(home, ...options);
        expect([code, error]).toEqual([0, '']);
        expect(out).toContain(next);
        expect(settingsOf(home)).toEqual({ runtime });
        const { triggers } = parse(home.read('projects/hello/project.yaml')) as {
          triggers: Record<string, { run: object; enabled: boolean }>;
        };
        expect(triggers['ask']).toMatchObject({
          enabled: false,
          run: { runtime: runtime.default },
        });
        expect(triggers['heartbeat']?.run).toMatchObject({ runtime: 'native', model: 'playbook' });
        const checked = await home.run('validate');
        expect(checked.out).toContain(': 0 errors, 0 warnings.');
      });
    },
  );

  it('does not change the runtime of triggers in a home that is in use', () =>
    withHome(async (home) => {
      home.write('projects/mine/project.yaml', 'name: Mine\n');
      home.write('svc.config.yaml', 'maxSpawnDepth: 0 # none\n');
      const { code, out } = await init(home, 'openai', '--model', 'm');
      expect(code).toBe(0);
      expect(out).toContain('run: { model: m }');
      expect(home.read('svc.config.yaml')).toMatch(/^maxSpawnDepth: 0 # none\nruntime:\n/);
      expect(settingsOf(home)).toMatchObject({ runtime: { native: { model: 'playbook' } } });
      const again = await init(home, 'claude');
      expect(again.code).toBe(1);
      expect(again.error).toContain('already has runtime settings, so it was not changed.');
      expect(again.error).toContain('    apiKey: { ref: env:ANTHROPIC_API_KEY }');
    }));

  it.each([
    [['gpt'], '--runtime must be claude, openai or external.'],
    [['claude', '--command', 'x'], '--command and --protocol require --runtime external.'],
    [['external', '--base-url', 'http://x'], '--base-url requires --runtime claude or openai.'],
    [['external', '--protocol', 'mcp'], 'protocol must be acp or text.'],
    [['openai', '--base-url', 'nowhere'], 'baseUrl must be a URL'],
  ])('refuses %j and creates nothing', async (options, message) => {
    await withHome(async (home) => {
      const { code, error } = await init(home, ...options);
      expect([code, error]).toEqual([2, expect.stringContaining(message)]);
      expect(home.tryRead('svc.config.yaml')).toBe('');
    });
  });
});
