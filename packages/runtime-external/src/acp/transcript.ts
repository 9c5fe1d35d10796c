import {
  noticeMessage,
  oneLine,
  type Tally,
  type ToolPolicy,
  type TurnSpec,
} from '@svc/agent-runtime';
import type { NewMessage } from '@svc/records';
import { catalogueNames, toolFacts } from './catalogue-names.ts';
import type { Fields } from './json.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { createSpeech, type Speech } from './speech.ts';
import {
  type AgentCall,
  callMessage,
  callName,
  isClear,
  learn,
  newCall,
  resultMessage,
} from './tool-calls.ts';

/** What a transcript works with. */
export interface TranscriptPorts {
  readonly spec: TurnSpec;
  readonly policy: ToolPolicy;
  readonly tally: Tally;
  emit(message: NewMessage): void;
}

/** What a turn of an agent comes to, update by update. */
export class Transcript {
  readonly #ports: TranscriptPorts;
  readonly #speech: Speech;
  readonly #rounds: Rounds;
  readonly #calls = new Map<string, AgentCall>();
  // Refused where they were called, of which the agent has yet to tell.
  readonly #refusedOperations = new Set<string>();
  #refused: string | null = null;

  constructor(ports: TranscriptPorts) {
    this.#ports = ports;
    this.#speech = createSpeech(ports.emit);
    this.#rounds = createRounds(ports.tally);
  }

  /** The last refusal, while no later call has succeeded. */
  get refused(): string | null {
    return this.#refused;
  }

  /** Whether nothing was said and nothing called. */
  get isEmpty(): boolean {
    return !this.#speech.said() && this.#calls.size === 0;
  }

  /** Whether the agent is about to make a model call beyond so many, or has made it. */
  hasSpent(maxTurns: number): boolean {
    const { turns } = this.#ports.tally;
    return turns > maxTurns || (turns === maxTurns && this.#rounds.isOver());
  }

  /** Takes one `session/update`. */
  update(update: Fields): void {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        this.#rounds.spoke();
        this.#speech.add(update);
        break;
      case 'agent_thought_chunk':
        this.#rounds.spoke();
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#work(update);
        break;
    }
  }

  /** Notes that the agent asks before a call; gives everything that is known of it. */
  asking(told: Fields): Fields {
    const call = this.#callOf(told);
    call.asked = true;
    if (!call.ended) learn(call, told);
    return call.facts;
  }

  /** Shows a call that may run. */
  allow(told: Fields): void {
    this.#show(this.#callOf(told));
  }

  /** Notes that a call was refused, with the name of the tool. */
  refuse(told: Fields, tool: string, reason: string): void {
    const call = this.#callOf(told);
    call.refusal = reason;
    this.#deny(tool, reason);
    if (!call.ended) this.#end(call);
  }

  /** Notes that an operation was refused where it was called, by its full name. */
  refuseOperation(tool: string, reason: string): void {
    this.#refusedOperations.add(tool);
    this.#deny(tool, reason);
  }

  /** Gives what still waits. */
  finish(): void {
    this.#speech.flush();
    for (const call of this.#calls.values()) if (!call.ended) this.#show(call);
  }

  #deny(tool: string, reason: string): void {
    this.#ports.tally.denied.push({ tool, reason: oneLine(reason) });
    this.#refused = `${tool} was refused: ${oneLine(reason)}`;
  }

  #callOf(told: Fields): AgentCall {
    const id = idOf(told['toolCallId']);
    const known = this.#calls.get(id);
    if (known !== undefined) return known;
    const call = newCall();
    this.#calls.set(id, call);
    this.#ports.tally.toolCalls += 1;
    this.#rounds.called();
    return call;
  }

  #work(told: Fields): void {
    const call = this.#callOf(told);
    if (call.ended) return;
    learn(call, told);
    if (isClear(call)) this.#show(call);
    const { status } = call.facts;
    if (status === 'completed' || status === 'failed') this.#end(call);
  }

  #show(call: AgentCall): void {
    if (call.shown) return;
    call.shown = true;
    this.#speech.flush();
    this.#ports.emit(callMessage(call));
  }

  #end(call: AgentCall): void {
    this.#show(call);
    this.#ports.emit(resultMessage(call));
    const worked = call.refusal === null && call.facts['status'] === 'completed';
    if (call.refusal === null && !worked) this.#ports.tally.toolErrors += 1;
    if (worked && !this.#refusedOperations.delete(callName(call))) this.#refused = null;
    if (worked && !call.asked) this.#tellUnlisted(call);
    call.ended = true;
    // Nothing of it is needed any more, and it may be large.
    call.facts = {};
    this.#rounds.answered();
  }

  // What an agent did without asking cannot be undone, but it can be told.
  #tellUnlisted(call: AgentCall): void {
    const { policy, spec, emit } = this.#ports;
    if (spec.capability.runsAs === 'keeper') return;
    const names = catalogueNames(toolFacts(call.facts));
    const isHeld = (name: string): boolean =>
      policy.decide(spec.capability, spec.depth, name).verdict === 'run';
    if (names.some(isHeld)) return;
    const used = callName(call);
    emit(noticeMessage(`The agent used ${used}, which this turn does not list, and did not ask.`));
  }
}

// A value of another kind may have no text at all.
function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
