import type { Clock } from '@svc/core';
import { Webhook } from 'standardwebhooks';
import type { Sink } from '../ports.ts';
import { send } from './fetching.ts';

export interface HttpSinkOptions {
  readonly url: string;
  /** `whsec_` and Base64, see `isWebhookSecret`. */
  readonly secret: string;
  /** Default: 15 seconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/** Whether a text is a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in Base64. */
export function isWebhookSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64;
}

/** Posts to an address, signed according to Standard Webhooks (v1). Each attempt is signed with its own time. */
export function createHttpSink(clock: Clock, options: HttpSinkOptions): Sink {
  const { url, secret, timeoutMs = TIMEOUT_MS } = options;
  const webhook = new Webhook(secret);
  return {
    send({ id, body }, signal) {
      const at = new Date(clock.now());
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'svc',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': webhook.sign(id, at, body),
      };
      return send({ url, method: 'POST', headers, body }, { clock, timeoutMs, signal });
    },
  };
}
