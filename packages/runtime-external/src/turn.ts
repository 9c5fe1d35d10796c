import {
  stopOf,
  type Tally,
  type TurnEnd,
  type TurnEvent,
  type TurnSpec,
} from '@svc/agent-runtime';
import type { Command, Exit } from './adapters/command.ts';
import type { ExternalRuntimeDeps, ExternalRuntimeOptions } from './options.ts';

/** How a turn closes. */
export type Close = Pick<TurnEnd, 'outcome' | 'reason'>;

/** What both protocols need for one turn. */
export interface TurnParts {
  readonly deps: ExternalRuntimeDeps;
  readonly options: ExternalRuntimeOptions;
  readonly spec: TurnSpec;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  readonly command: Command;
}

/** One turn of a protocol: yields its events, without the end. */
export type ProtocolTurn = (parts: TurnParts) => AsyncGenerator<TurnEvent, Close>;

/** The close of a turn that was stopped. */
export function stopClose(signal: AbortSignal): Close {
  const { kind, reason } = stopOf(signal);
  return { outcome: kind, reason };
}

/** A failure, with one sentence. */
export function failed(reason: string): Close {
  return { outcome: 'failed', reason };
}

/** How a process ended, as the beginning of a sentence, e.g. `The command ended with code 3`. */
export function exitText(who: string, { code, signal }: Exit): string {
  return signal === null ? `${who} ended with code ${code}` : `${who} was ended by ${signal}`;
}

/** A sentence, with the last thing that the command complained about where there is one. */
export function withComplaint(sentence: string, complaint: string): string {
  return complaint === '' ? `${sentence}.` : `${sentence}: ${complaint}`;
}
