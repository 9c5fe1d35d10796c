import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { type Running, type TestHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(120_000);

const WITNESS = `triggers:
  steady:
    trigger: { type: schedule, cron: 0 3 * * * }
    run: { prompt: x }
    enabled: true
`;

let home: TestHome;
let server: Running;
let finish: () => void;
let whole: Promise<void>;

beforeAll(async () => {
  const ready = new Promise<void>((resolve) => {
    whole = withHome(async (opened) => {
      home = opened;
      home.write('projects/witness/project.yaml', WITNESS);
      home.write('projects/victim/project.yaml', WITNESS);
      home.write('secret.md', 'secret');
      server = await home.serve();
      const over = new Promise<void>((end) => {
        finish = end;
      });
      resolve();
      await over;
    });
  });
  await ready;
});

afterAll(async () => {
  finish();
  await whole;
});

/** Everything in the home except what may change: the folder of the target project, the database, the locks. */
function untouched(): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const shown = relative(home.home, path);
      if (/^(data|projects\/victim|projects\/\.locks)(\/|$)/.test(shown)) continue;
      if (statSync(path).isDirectory()) walk(path);
      else found[shown] = readFileSync(path, 'utf8');
    }
  };
  walk(home.home);
  return found;
}

async function ask(method: string, path: string, body?: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(server.url + path, {
    method,
    headers,
    signal: AbortSignal.timeout(10_000),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect([path, body, response.status]).not.toEqual([path, body, 500]);
  if (response.status >= 400) {
    expect(JSON.parse(text)).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  }
  return response.status;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '..',
    '.',
    '../../secret.md',
    '/etc/passwd',
    '__proto__',
    'a/../b',
    '\0',
    '%2e%2e',
  ),
);
const cronText = fc.string({
  unit: fc.constantFrom(...'0123456789*/,- @LW#?H~JANMONdaily'),
  maxLength: 60,
});
const leaf = fc.oneof(
  anyText,
  cronText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const field = (value: fc.Arbitrary<unknown>) => fc.oneof(value, fc.anything({ maxDepth: 2 }));
const record = fc.record(
  {
    trigger: field(
      fc.record(
        {
          type: fc.oneof(fc.constantFrom('schedule', 'event', 'webhook'), leaf),
          cron: field(cronText),
          interval: field(anyText),
          timezone: field(anyText),
          on: field(fc.constantFrom('onArchive', 'afterTurn')),
        },
        { requiredKeys: [] },
      ),
    ),
    run: field(
      fc.record(
        {
          prompt: field(anyText),
          promptFile: field(anyText),
          tools: field(fc.array(fc.oneof(anyText, fc.constantFrom('Read', 'Bash')))),
          maxTurns: leaf,
          session: leaf,
          timeout: leaf,
        },
        { requiredKeys: [] },
      ),
    ),
    enabled: leaf,
    policy: field(fc.dictionary(anyText, leaf)),
  },
  { requiredKeys: [] },
);

describe('any request', () => {
  it('PUT, GET, run and DELETE answer in JSON without a 500, and nothing else changes', async () => {
    const before = untouched();
    await fc.assert(
      fc.asyncProperty(anyText, record, async (name, body) => {
        const path = `/api/projects/victim/triggers/${encodeURIComponent(name.replace(/[\uD800-\uDFFF]/g, ''))}`;
        const json = JSON.stringify(body);
        await ask('PUT', path, json);
        await ask('GET', path);
        await ask('POST', `${path}/run`);
        await ask('DELETE', path);
        await ask('POST', '/api/projects/victim/validate-trigger', json);
      }),
      { numRuns: 250 },
    );
    expect(untouched()).toEqual(before);
  });

  it('slugs and paths do not escape', async () => {
    const before = untouched();
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (slug, rest) => {
        const part = (text: string) => encodeURIComponent(text.replace(/[\uD800-\uDFFF]/g, ''));
        await ask('GET', `/api/projects/${part(slug)}/${part(rest)}`);
        await ask('PUT', `/api/projects/${part(slug)}/triggers/x`, '{}');
        await ask('GET', `/api/projects/${part(slug)}/triggers`);
      }),
      { numRuns: 150 },
    );
    expect(untouched()).toEqual(before);
  });

  it('schedules are previewed or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(cronText, anyText), anyText, async (text, zone) => {
        const query = (entries: Record<string, string>) =>
          `/api/preview?${new URLSearchParams(entries)}`;
        expect([200, 400]).toContain(await ask('GET', query({ cron: text })));
        expect([200, 400]).toContain(await ask('GET', query({ interval: text })));
        expect([200, 400]).toContain(
          await ask('GET', query({ cron: '* * * * *', timezone: zone })),
        );
      }),
      { numRuns: 250 },
    );
  });
});

describe('any project file', () => {
  const mutated = fc
    .tuple(
      fc.nat(WITNESS.length),
      fc.nat(20),
      fc.string({ unit: fc.constantFrom(...' \n\t{}[]&*!|>:-#"\'x0%@`') }),
    )
    .map(([at, cut, put]) => WITNESS.slice(0, at) + put + WITNESS.slice(at + cut));

  it('the service answers, and other projects stay armed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, anyText), async (text) => {
        home.write('projects/victim/project.yaml', text);
        expect([200, 404]).toContain(await ask('GET', '/api/projects/victim/triggers'));
        await ask('PUT', '/api/projects/victim/triggers/x', '{"trigger":{"type":"webhook"}}');
        await ask('GET', '/api/projects/victim/triggers/runtime');
        const { body } = await server.get('/api/projects/witness/triggers/runtime');
        expect(body).toMatchObject({ runtime: [{ name: 'steady', armed: true }] });
      }),
      { numRuns: 150 },
    );
    home.write('projects/victim/project.yaml', WITNESS);
    await until(async () => {
      const { body } = await server.get('/api/projects/victim/triggers/runtime');
      return (body as { runtime: { armed: boolean }[] }).runtime[0]?.armed;
    });
    expect(server.lines.filter((line) => Number(line['level']) >= 60)).toEqual([]);
  });
});
