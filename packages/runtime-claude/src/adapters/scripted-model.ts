import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@svc/core';

/** A tool call of a scripted model. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: unknown;
}

/** One answer of a scripted model. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Responds with this status and an error instead, with `headers` if given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Never responds. */
  readonly silent?: boolean;
  /** Closes the connection after the start of the answer. */
  readonly cut?: boolean;
}

/** A request to a scripted model. */
export interface ScriptedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server of the Messages API on the loopback interface that answers from a script, without a model. */
export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  /** Sets a new script and clears the recorded requests. After the last step, the model answers `Done.` */
  script(steps: readonly ScriptedStep[]): void;
  close(): Promise<void>;
}

const USAGE = {
  input_tokens: 1000,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 100,
};
const OUTPUT_TOKENS = 50;

/** Starts a scripted model. Each call uses 1,300 input tokens and 50 output tokens. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  let remaining: ScriptedStep[] = [];
  const requests: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse((await textOf(request)) || '{}');
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    const step = remaining.shift() ?? { text: 'Done.' };
    if (step.silent === true) return;
    if (step.status !== undefined) return refuse(response, step);
    play(response, step, String(body.model));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script(steps) {
      remaining = [...steps];
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function refuse(response: ServerResponse, { status = 500, headers = {} }: ScriptedStep): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const error = { type: 'api_error', message: `scripted ${status}` };
  response.end(JSON.stringify({ type: 'error', error }));
}

function play(response: ServerResponse, step: ScriptedStep, model: string): void {
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const message = { id: `msg_${newId()}`, type: 'message', role: 'assistant', model, content: [] };
  const usage = { ...USAGE, output_tokens: 1 };
  send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  const blocks = blocksOf(step);
  for (const [index, { start, delta }] of blocks.entries()) {
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    if (step.cut === true) {
      // Destroy only after the start has been sent.
      response.write(': the end\n\n', () => response.destroy());
      return;
    }
    send('content_block_stop', { index });
  }
  const stop_reason = step.calls === undefined ? 'end_turn' : 'tool_use';
  const delta = { stop_reason, stop_sequence: null };
  send('message_delta', { delta, usage: { output_tokens: OUTPUT_TOKENS } });
  send('message_stop', {});
  response.end();
}

function blocksOf({ text, calls = [] }: ScriptedStep): { start: object; delta: object }[] {
  const textBlocks =
    text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }];
  const callBlocks = calls.map(({ name, input }) => ({
    start: { type: 'tool_use', id: `toolu_${newId()}`, name, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  }));
  return [...textBlocks, ...callBlocks];
}
