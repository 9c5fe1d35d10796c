import { shownOrigin } from '@svc/core';
import type { TelemetrySettings } from '@svc/settings';
import type { Keys } from '../keys.ts';
import { tracesProblem } from '../tracing.ts';

// A slow collector does not matter for exports, but the user of this command waits.
const TIMEOUT_MS = 3000;

/** The collector, and whether it accepts traces; empty if tracing is disabled. */
export async function traceLines(
  { traces }: TelemetrySettings,
  keys: Pick<Keys, 'of' | 'collectorHeaders'>,
): Promise<readonly string[]> {
  const { url } = traces;
  if (url === null) return [];
  const problem = tracesProblem(traces, keys) ?? (await problemAt(url, traces.headers, keys));
  return [`Traces: ${problem ?? `sent to ${shownOrigin(url)}.`}`];
}

// An empty request is valid in OTLP, and checks address and headers.
async function problemAt(
  url: string,
  headers: TelemetrySettings['traces']['headers'],
  keys: Pick<Keys, 'of' | 'collectorHeaders'>,
): Promise<string | null> {
  const to = shownOrigin(url);
  const sent = headersOf(headers, keys);
  if (sent === null) return NO_HEADER;
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body: new Uint8Array(),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (response === null) {
    return `no answer from ${to}. Start the collector, or correct telemetry.traces.url.`;
  }
  await response.body?.cancel().catch(() => {});
  const { status } = response;
  if (response.ok) return null;
  if (status === 401 || status === 403) {
    return `${to} requires a credential (${status}). Name its variable in telemetry.traces.headers.`;
  }
  const place = status === 404 ? '; it usually ends in /v1/traces' : '';
  return `${to} does not accept traces (${status}). Correct telemetry.traces.url${place}.`;
}

const NO_HEADER =
  'a header is invalid: percent-encode OTEL_EXPORTER_OTLP_HEADERS (NAME=VALUE,NAME=VALUE), and use plain text in the variables of telemetry.traces.headers.';

// Headers from the environment, overridden by those in the settings, as the exporter sends them; null if one cannot be sent.
function headersOf(
  named: TelemetrySettings['traces']['headers'],
  keys: Pick<Keys, 'of' | 'collectorHeaders'>,
): Headers | null {
  try {
    const headers = new Headers(Object.fromEntries(keys.collectorHeaders));
    for (const [name, variable] of Object.entries(named))
      headers.set(name, keys.of(variable) ?? '');
    headers.set('content-type', 'application/x-protobuf');
    return headers;
  } catch {
    return null;
  }
}
