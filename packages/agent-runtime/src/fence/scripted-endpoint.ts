import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '@svc/core';
import type { FenceCall } from './fence-case.ts';

/** An OpenAI-compatible endpoint on loopback without a model. It makes exactly the calls that a prompt names. */
export interface ScriptedEndpoint {
  readonly baseUrl: string;
  /** A prompt that makes it call these tools in order and then end with `Done.` */
  promptOf(calls: readonly FenceCall[]): string;
  /** Everything that it was sent. */
  requests(): string;
  close(): Promise<void>;
}

const MARK = 'Make these calls:\n';

/**
 * Starts the endpoint on a free port. Each answer depends only on the request: it makes the calls of the last prompt,
 * one for each result that already follows that prompt. It obeys the first text that names calls, as a careless model
 * would.
 */
export async function startScriptedEndpoint(): Promise<ScriptedEndpoint> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    readAll(request).then(
      (body) => {
        bodies.push(body);
        answer(response, nextCall(JSON.parse(body)));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    promptOf: (calls) => `${MARK}${JSON.stringify(calls)}`,
    requests: () => bodies.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function nextCall(body: unknown): FenceCall | null {
  const messages = isRecord(body) && Array.isArray(body['messages']) ? body['messages'] : [];
  const asked = messages.findLastIndex(
    (message) => isRecord(message) && message['role'] === 'user',
  );
  const prompt = isRecord(messages[asked]) ? String(messages[asked]['content']) : '';
  const calls: readonly FenceCall[] = JSON.parse(prompt.split(MARK)[1]?.split('\n')[0] ?? '[]');
  const done = messages.slice(asked).filter((m) => isRecord(m) && m['role'] === 'tool').length;
  return calls[done] ?? null;
}

function answer(response: ServerResponse, call: FenceCall | null): void {
  const send = (choices: readonly object[], more: object = {}): void => {
    response.write(
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices, ...more })}\n\n`,
    );
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (call === null) send([{ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' }]);
  else {
    const { name, input } = call;
    const called = { index: 0, id: 'a', function: { name, arguments: JSON.stringify(input) } };
    const delta = { role: 'assistant', tool_calls: [called] };
    send([{ index: 0, delta, finish_reason: 'tool_calls' }]);
  }
  send([], { usage: { prompt_tokens: 10, completion_tokens: 2 } });
  response.end('data: [DONE]\n\n');
}
