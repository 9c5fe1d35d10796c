import { describe, expect, it } from '@jest/globals';
import { problemLines } from '../src/status-lines.ts';

const reason = 'The program bwrap was not found.';

describe('the status line about sandboxes', () => {
  it.each([
    [false, `agents: not sandboxed. ${reason}`],
    [true, `agents: cannot start in a sandbox, which is required. ${reason}`],
  ])('with required: %s is %s', (required, line) => {
    expect(problemLines({ sandboxLack: { reason, intended: false, required } })).toEqual([line]);
  });

  it('does not exist if agents are sandboxed', () => {
    expect(problemLines({ sandboxLack: null })).toEqual([]);
  });
});
