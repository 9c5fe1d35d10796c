import type { StopRequests, Terminal } from '@svc/cli';
import { counted } from '@svc/core';

/** A process that runs turns and can be stopped. */
export interface Stoppable {
  /** Number of running turns. */
  running(): number;
  /** Lets running turns end within the drain time, and interrupts the rest. */
  stop(): Promise<void>;
  /** Interrupts the turns that `stop` still waits for; resolves when their ends are stored. */
  interrupt(): Promise<void>;
}

/** Stops gracefully, or, at a second request, at once. Returns which. */
export async function drain(
  work: Stoppable,
  drainMs: number,
  requests: Pick<StopRequests, 'stopAtOnce'>,
  terminal: Pick<Terminal, 'error'>,
): Promise<'drained' | 'interrupted'> {
  const running = work.running();
  if (running > 0 && drainMs > 0) {
    terminal.error(
      `Waiting for ${counted(running, 'turn')} (up to ${drainMs / 1000} s). Press Ctrl-C again to stop at once.`,
    );
  }
  let end: 'drained' | 'interrupted' = 'drained';
  const interrupted = requests.stopAtOnce.then(() => {
    end = 'interrupted';
    return work.interrupt();
  });
  await Promise.race([work.stop(), interrupted]);
  return end;
}
