import type { EventStream } from './event-stream.ts';

/**
 * Copies a web stream of events. Each piece waits for one turn of the event loop, so that a response that is ready
 * at once is written in one piece with its length.
 */
export async function relayEvents(
  body: ReadableStream<Uint8Array>,
  stream: EventStream,
): Promise<void> {
  const reader = body.getReader();
  let held: Uint8Array | null = null;
  for (;;) {
    const next = reader.read();
    if (held !== null && !(await isReadyAtOnce(next))) {
      await stream.send(held);
      held = null;
    }
    const { done, value } = await next;
    if (done) break;
    if (held !== null) await stream.send(held);
    held = value;
  }
  const last = held ?? new Uint8Array();
  stream.end({ start: last, text: '', bytes: last.byteLength });
}

function isReadyAtOnce(next: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const immediate = setImmediate(() => resolve(false));
    const ready = (): void => {
      clearImmediate(immediate);
      resolve(true);
    };
    // The error is handled where the same promise is awaited next.
    next.then(ready, ready);
  });
}
