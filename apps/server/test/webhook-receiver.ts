import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A secret in the form of Standard Webhooks. */
export const WEBHOOK_SECRET: string = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A verified request of a sink. */
export interface Received {
  readonly id: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Answers a verified request. */
type Respond = (response: ServerResponse, received: Received) => void;

/** A receiver of webhooks that verifies each request. */
export interface Receiver {
  readonly url: string;
  /** In order of arrival. */
  readonly got: Received[];
  /** The number of requests without a valid signature. */
  readonly unsigned: IncomingMessage[];
  /** Sets the next answers. Default: 204. */
  respond: Respond;
}

export async function withReceiver(test: (receiver: Receiver) => Promise<void>): Promise<void> {
  const webhook = new Webhook(WEBHOOK_SECRET);
  const got: Received[] = [];
  const unsigned: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const headers = request.headers as Record<string, string>;
    try {
      const body = webhook.verify(text, headers) as Received['body'];
      const received = { id: headers['webhook-id'] ?? '', body };
      got.push(received);
      receiver.respond(response, received);
    } catch {
      unsigned.push(request);
      response.writeHead(200).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ got, unsigned, respond: (response) => response.writeHead(204).end() },
  };
  try {
    await test(receiver);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
