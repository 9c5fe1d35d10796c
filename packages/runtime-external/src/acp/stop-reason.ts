import { oneLine, type TurnSpec } from '@svc/agent-runtime';
import { type Close, exitText, failed, withErrorLine } from '../turn.ts';
import type { AgentConnection, Disconnect } from './agent-connection.ts';
import type { Transcript } from './transcript.ts';

/** The end of a turn whose agent answered the prompt with a stop reason. */
export function stopReasonClose(stopReason: unknown, transcript: Transcript): Close {
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
      return failed('The model reached its token limit before it finished.');
    case 'refusal':
      return failed('The model refused to continue.');
    case 'cancelled':
      // Some agents cancel their turn when a call is refused.
      return refused === null
        ? failed('The agent cancelled the turn.')
        : { outcome: 'denied', reason: refused };
    default:
      return failed(
        `The agent ended the turn with an unknown stop reason: ${JSON.stringify(stopReason)}.`,
      );
  }
}

/** The end of a turn that reached its limit of model calls. */
export function limitClose({ limits: { maxTurns } }: TurnSpec): Close {
  const reason = `Stopped after ${maxTurns} model ${maxTurns === 1 ? 'call' : 'calls'} (maxTurns).`;
  return { outcome: 'max_turns', reason };
}

/** The end of a turn whose agent exited or violated the protocol. */
export function disconnectClose(agent: AgentConnection, disconnect: Disconnect): Close {
  if (disconnect.kind === 'fault') return failed(disconnect.reason);
  const sentence = `${exitText('The agent', disconnect.exit)} before the turn ended`;
  return failed(oneLine(withErrorLine(sentence, agent.lastOutput())));
}
