import type { Clock } from '@svc/core';
import type { Sent } from '../ports.ts';

/** A request, ready to be sent. */
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

/** Sends a request. Only a 2xx response counts as success; redirects are not followed, and the body is not read. */
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
      error: late.signal.aborted ? `No response within ${seconds} s.` : whyNot(error),
    };
  } finally {
    clock.clearTimeout(timer);
  }
}

function verdictOf(status: number): Sent {
  if (status >= 200 && status < 300) return { ok: true };
  const more = status >= 300 && status < 400 ? '. Redirects are not followed' : '';
  return { ok: false, error: `The server responded with status ${status}${more}.` };
}

// The error message may contain the address, which may be secret.
function whyNot(error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause ?? error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code)
    ? `The server cannot be reached (${code}).`
    : 'The server cannot be reached.';
}
