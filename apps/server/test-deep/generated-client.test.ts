import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type OpenHome, openHome, type Running } from '../test/harness.ts';
import { runProgram } from './installed.ts';
import { toOpenApi30 } from './openapi-30.ts';

jest.setTimeout(300_000);

const here = (name: string): string => new URL(name, import.meta.url).pathname;

// Of Debian: libjackson2-databind-java, libjsr305-java, libgeronimo-annotation-1.3-spec-java.
const LIBRARIES = [
  'jackson-annotations',
  'jackson-core',
  'jackson-databind',
  'jsr305',
  'geronimo-annotation-1.3-spec',
].map((name) => `/usr/share/java/${name}.jar`);

const OPTIONS = [
  ...['-g', 'java', '--library', 'native'],
  '--additional-properties=openApiNullable=false,dateLibrary=legacy,hideGenerationTimestamp=true',
  ...['--global-property', 'models,apis,supportingFiles,modelTests=false,apiTests=false'],
];

const TRIGGERS = `triggers:
  hourly:
    trigger: { type: schedule, interval: 1h }
    run: { model: playbook, prompt: Nothing to do. }
    enabled: true
  paused:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: Nothing to do. }
`;

let home: OpenHome;
let server: Running;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-java-'));
  home = openHome();
  home.write('projects/demo/project.yaml', TRIGGERS);
  server = await home.serve();
});
afterAll(async () => {
  await home.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string, args: string[]) =>
  runProgram(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
  });

const sourcesIn = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(place, name));

async function generator(): Promise<string> {
  const script = here('install-foreign.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'openapi-generator']);
  const { 'openapi-generator': place } = JSON.parse(stdout) as Record<string, string>;
  return `${place}/node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar`;
}

it('a client for Java, made by OpenAPI Generator, compiles and works with a server', async () => {
  expect(LIBRARIES.filter((file) => !existsSync(file))).toEqual([]);
  const { body } = await server.get('/api/openapi.json');
  writeFileSync(join(folder, 'api.json'), JSON.stringify(toOpenApi30(body)));
  const made = await run('java', [
    ...['-jar', await generator(), 'generate', '-i', 'api.json', '-o', 'made'],
    ...OPTIONS,
  ]);
  expect([made.code, made.out]).toEqual([0, expect.not.stringContaining(' ERROR ')]);
  const sources = [...sourcesIn(join(folder, 'made/src/main')), ...sourcesIn(here('java-client'))];
  expect(sources.length).toBeGreaterThan(100);
  const path = LIBRARIES.join(':');
  const compiled = await run('javac', ['-nowarn', '-d', 'classes', '-cp', path, ...sources]);
  expect([compiled.code, compiled.out]).toEqual([0, compiled.out]);
  const { port } = new URL(server.url);
  const { code, out } = await run('java', ['-cp', `classes:${path}`, 'FireTrigger', port]);
  expect([code, out.trim().split('\n')]).toEqual([
    0,
    ['hourly true', 'paused false', 'hourly manual', '404'],
  ]);
});
