import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, Run } from '@svc/records';
import { stringify } from 'yaml';
import { type Running, type TestHome, until } from './harness.ts';

/** Triggers by name, each with its `run`; none fires on its own schedule. */
export function writeProject(home: TestHome, runs: Record<string, object>, more = {}): void {
  const triggers = Object.entries(runs).map(([name, run]) => [
    name,
    { trigger: { type: 'schedule', interval: '1h' }, run, enabled: false },
  ]);
  home.write(
    'projects/demo/project.yaml',
    stringify({ ...more, triggers: Object.fromEntries(triggers) }),
  );
}

export function writeSettings(home: TestHome, settings: object): void {
  home.write('svc.config.yaml', stringify(settings));
}

/** Fires a trigger with Run now, and waits for its end. */
export async function fire(server: Running, trigger: string): Promise<Run> {
  const fired = await server.send('POST', `/api/projects/demo/triggers/${trigger}/run`);
  const { runId } = fired.body as { runId?: string };
  return runId === undefined ? lastRun(server) : ended(server, runId);
}

async function ended(server: Running, runId: string): Promise<Run> {
  return until(async () => {
    const run = (await server.get(`/api/projects/demo/runs/${runId}`)).body as Run;
    return run.state === 'ended' ? run : null;
  });
}

export async function runsOf(server: Running): Promise<Run[]> {
  return ((await server.get('/api/projects/demo/runs?limit=50')).body as { runs: Run[] }).runs;
}

async function lastRun(server: Running): Promise<Run> {
  const [run] = await runsOf(server);
  if (run === undefined) throw new Error('the run is missing');
  return run;
}

/** The transcript of a chat. */
export async function transcript(server: Running, sessionId: string | null): Promise<Message[]> {
  const { body } = await server.get(`/api/projects/demo/chats/${sessionId}`);
  return (body as { messages: Message[] }).messages;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A fake model endpoint that answers depending on the requested model. */
export function withAnswers(
  answers: Readonly<Record<string, Answer>>,
  test: (baseUrl: string) => Promise<void>,
): Promise<void> {
  return withEndpoint((response, request) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => answers[JSON.parse(body).model]?.(response, request));
  }, test);
}

/** A fake model endpoint that answers every request the same. */
export async function withEndpoint(
  answer: Answer,
  test: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => answer(response, request));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
