import type { Duplex } from 'node:stream';

/**
 * Joins two connections. The end of one direction is passed on without ending the other direction, and a connection
 * that breaks also closes the other one.
 */
export function splice(a: Duplex, b: Duplex): void {
  // The other side may still send after one side has ended.
  a.allowHalfOpen = true;
  b.allowHalfOpen = true;
  closeAfter(a, b);
  closeAfter(b, a);
  a.pipe(b);
  b.pipe(a);
  if (a.destroyed) b.destroy();
  if (b.destroyed) a.destroy();
}

function closeAfter(broken: Duplex, other: Duplex): void {
  broken.once('close', () => {
    const complete = broken.readableEnded && broken.writableFinished;
    // After a complete exchange, the other side may still have bytes to write.
    if (!complete) other.destroy();
  });
}
