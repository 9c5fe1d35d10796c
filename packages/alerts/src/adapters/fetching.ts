import type { Clock } from '@svc/core';
import type { Sent } from '../ports.ts';

/** A request, as it is sent. */
export interface Outgoing {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Fetching {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request; only an answer of 2xx counts. No redirect is followed, and no body is read. */
export async function send(request: Outgoing, fetching: Fetching): Promise<Sent> {
  const { clock, timeoutMs } = fetching;
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), timeoutMs);
  try {
    const { url, ...options } = request;
    const signal = AbortSignal.any([fetching.signal, late.signal]);
    const response = await fetch(url, { ...options, redirect: 'manual', signal });
    await response.body?.cancel();
    return verdictOf(response.status);
  } catch (error) {
    const seconds = timeoutMs / 1000;
    return {
      ok: false,
      error: late.signal.aborted ? `No answer within ${seconds} s.` : whyNot(error),
    };
  } finally {
    clock.clearTimeout(timer);
  }
}

function verdictOf(status: number): Sent {
  if (status >= 200 && status < 300) return { ok: true };
  const more = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  return { ok: false, error: `It answered ${status}${more}.` };
}

// The text of the error may hold the address, which may be the secret.
function whyNot(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause ?? error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code)
    ? `It cannot be reached (${code}).`
    : 'It cannot be reached.';
}
