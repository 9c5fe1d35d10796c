import {
  type ServicePort,
  stopOf,
  type Tally,
  type TurnEnd,
  type TurnEvent,
  type TurnSpec,
} from '@svc/agent-runtime';
import type { Command, Exit } from './adapters/command.ts';
import type { ExternalRuntimeDeps, ExternalRuntimeOptions } from './options.ts';

/** The outcome of a turn and its reason. */
export type Close = Pick<TurnEnd, 'outcome' | 'reason'>;

/** The parts of one turn, for both protocols. */
export interface TurnParts {
  readonly deps: ExternalRuntimeDeps;
  readonly options: ExternalRuntimeOptions;
  readonly spec: TurnSpec;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  readonly command: Command;
  /** The port for operations in the sandbox of the command; null if it shares the network of this machine. */
  readonly operationsPort: ServicePort | null;
}

/** Runs one turn with a protocol. Yields its events except `ended`. */
export type ProtocolTurn = (parts: TurnParts) => AsyncGenerator<TurnEvent, Close>;

/** The end of a turn that was stopped. */
export function stopClose(signal: AbortSignal): Close {
  const { kind, reason } = stopOf(signal);
  return { outcome: kind, reason };
}

/** The end of a failed turn. `reason` is one sentence. */
export function failed(reason: string): Close {
  return { outcome: 'failed', reason };
}

/** How a process ended, as the beginning of a sentence, e.g. `The command exited with code 3`. */
export function exitText(subject: string, { code, signal }: Exit): string {
  return signal === null
    ? `${subject} exited with code ${code}`
    : `${subject} was killed by ${signal}`;
}

/** Completes a sentence with the last error line of the command, if there is one. */
export function withErrorLine(sentence: string, errorLine: string): string {
  return errorLine === '' ? `${sentence}.` : `${sentence}: ${errorLine}`;
}
