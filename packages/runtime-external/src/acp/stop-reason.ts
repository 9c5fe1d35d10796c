import { oneLine, type TurnSpec } from '@svc/agent-runtime';
import type { Command } from '../adapters/command.ts';
import { type Close, exitText, failed, withComplaint } from '../turn.ts';
import type { AgentLine, Broken } from './agent-line.ts';
import type { Transcript } from './transcript.ts';

/** How a turn closes whose agent has come to its end by itself. */
export function closeOf(stopReason: unknown, transcript: Transcript): Close {
  const { refused } = transcript;
  switch (stopReason) {
    case 'end_turn':
      if (refused !== null) return { outcome: 'denied', reason: refused };
      return transcript.isEmpty
        ? failed('The turn produced no output.')
        : { outcome: 'succeeded', reason: null };
    case 'max_turn_requests':
      return { outcome: 'max_turns', reason: 'The agent reached its own limit of model calls.' };
    case 'max_tokens':
      return failed('The model reached its limit of tokens before it had come to an end.');
    case 'refusal':
      return failed('The model refused to go on.');
    case 'cancelled':
      // Some agents end a turn in which a call was refused.
      return refused === null
        ? failed('The agent cancelled the turn by itself.')
        : { outcome: 'denied', reason: refused };
    default:
      return failed(
        `The agent ended for a reason that is not known: ${JSON.stringify(stopReason)}.`,
      );
  }
}

/** The close of a turn whose limit of model calls was reached. */
export function limitClose({ limits: { maxTurns } }: TurnSpec): Close {
  const reason = `The limit of ${maxTurns} model ${maxTurns === 1 ? 'call' : 'calls'} was reached.`;
  return { outcome: 'max_turns', reason };
}

/** The close of a turn whose agent is gone, or cannot be spoken with. */
export function brokenClose(command: Command, line: AgentLine, broken: Broken): Close {
  if (broken.kind === 'fault') return failed(broken.reason);
  const sentence = `${exitText('The agent', broken.exit)} before the turn had come to its end`;
  return failed(oneLine(withComplaint(sentence, command.complaint() || line.hint())));
}
