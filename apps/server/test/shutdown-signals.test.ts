import { describe, expect, it } from '@jest/globals';
import { createShutdownSignals } from '../src/shutdown-signals.ts';

function wishesAfter(at: readonly (number | 'hang up')[]): Promise<string[]> {
  let now = 0;
  const made: string[] = [];
  const { requests, onSignal, onHangUp } = createShutdownSignals({
    mono: () => now,
    giveUp: () => made.push('give up'),
  });
  void requests.stopRequested.then(() => made.push('stop'));
  void requests.stopAtOnce.then(() => made.push('at once'));
  for (const one of at) {
    if (one === 'hang up') onHangUp();
    else {
      now = one;
      onSignal();
    }
  }
  return new Promise((resolve) => setImmediate(() => resolve(made.sort())));
}

describe('signals', () => {
  it.each([
    [[], []],
    [[5], ['stop']],
    [[5, 6, 999], ['stop']],
    [
      [5, 6, 1005],
      ['at once', 'stop'],
    ],
    [
      [5, 6, 1005, 1006, 2004],
      ['at once', 'stop'],
    ],
    [
      [5, 1005, 2005],
      ['at once', 'give up', 'stop'],
    ],
    [['hang up'], ['stop']],
    [['hang up', 'hang up'], ['stop']],
    [[5, 'hang up'], ['stop']],
    [
      ['hang up', 5000],
      ['at once', 'stop'],
    ],
  ] as const)('at %j ms are the requests %j', async (at, wishes) => {
    expect(await wishesAfter(at)).toEqual(wishes);
  });
});
