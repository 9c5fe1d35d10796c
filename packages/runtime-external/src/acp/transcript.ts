import type * as acp from '@agentclientprotocol/sdk';
import {
  noticeMessage,
  oneLine,
  type Tally,
  type ToolPolicy,
  type TurnSpec,
} from '@svc/agent-runtime';
import type { NewMessage } from '@svc/records';
import {
  type AgentCall,
  applyUpdate,
  callMessage,
  callName,
  newCall,
  resultMessage,
} from './agent-call.ts';
import { type AnswerBuffer, createAnswerBuffer } from './answer-buffer.ts';
import { type CallFields, catalogueNames, toolFacts } from './catalogue-names.ts';
import type { Fields } from './json.ts';
import { createRounds, type Rounds } from './rounds.ts';

/** Dependencies of a transcript. */
export interface TranscriptPorts {
  readonly spec: TurnSpec;
  readonly policy: ToolPolicy;
  readonly tally: Tally;
  emit(message: NewMessage): void;
}

/** Converts the session updates of one turn into messages and counts. */
export class Transcript {
  readonly #ports: TranscriptPorts;
  readonly #answer: AnswerBuffer;
  readonly #rounds: Rounds;
  readonly #calls = new Map<string, AgentCall>();
  // Operations that their endpoint refused and whose call the agent has not reported yet.
  readonly #refusedOperations = new Set<string>();
  #refused: string | null = null;

  constructor(ports: TranscriptPorts) {
    this.#ports = ports;
    this.#answer = createAnswerBuffer(ports.emit);
    this.#rounds = createRounds(ports.tally);
  }

  /** The last refusal, until a later call succeeds. */
  get refused(): string | null {
    return this.#refused;
  }

  /** Whether the agent produced no text and made no calls. */
  get isEmpty(): boolean {
    return !this.#answer.hasText() && this.#calls.size === 0;
  }

  /** Whether the agent has made, or is about to make, more than `maxTurns` model calls. */
  exceeds(maxTurns: number): boolean {
    const { turns } = this.#ports.tally;
    return turns > maxTurns || (turns === maxTurns && this.#rounds.isOver());
  }

  /** Applies one `session/update`. */
  update(update: Fields<acp.SessionUpdate>): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#rounds.onOutput();
        this.#answer.add(update);
        break;
      case 'agent_thought_chunk':
        this.#rounds.onOutput();
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#updateCall(update);
        break;
    }
  }

  /** Records that the agent asks for permission for a call. Returns all known fields of the call. */
  noteRequest(update: CallFields): CallFields {
    const call = this.#callOf(update);
    call.asked = true;
    if (!call.ended) applyUpdate(call, update);
    return call.facts;
  }

  /** Shows a call that may run. */
  allow(update: CallFields): void {
    this.#show(this.#callOf(update));
  }

  /** Records that a call to a tool was refused. */
  refuse(update: CallFields, tool: string, reason: string): void {
    const call = this.#callOf(update);
    call.refusal = reason;
    this.#deny(tool, reason);
    if (!call.ended) this.#end(call);
  }

  /** Records that the operations endpoint refused an operation. `tool` is its full name. */
  refuseOperation(tool: string, reason: string): void {
    this.#refusedOperations.add(tool);
    this.#deny(tool, reason);
  }

  /** Emits buffered text and calls that were not shown yet. */
  finish(): void {
    this.#answer.flush();
    for (const call of this.#calls.values()) if (!call.ended) this.#show(call);
  }

  #deny(tool: string, reason: string): void {
    this.#ports.tally.denied.push({ tool, reason: oneLine(reason) });
    this.#refused = `${tool} was refused: ${oneLine(reason)}`;
  }

  #callOf(update: CallFields): AgentCall {
    const id = idOf(update.toolCallId);
    const known = this.#calls.get(id);
    if (known !== undefined) return known;
    const call = newCall();
    this.#calls.set(id, call);
    this.#ports.tally.toolCalls += 1;
    this.#rounds.onCallStart();
    return call;
  }

  #updateCall(update: CallFields): void {
    const call = this.#callOf(update);
    if (call.ended) return;
    applyUpdate(call, update);
    const { status } = call.facts;
    // Agents send the input of a call before they run it.
    if (status === 'in_progress') this.#show(call);
    if (status === 'completed' || status === 'failed') this.#end(call);
  }

  #show(call: AgentCall): void {
    if (call.shown) return;
    call.shown = true;
    this.#answer.flush();
    this.#ports.emit(callMessage(call));
  }

  #end(call: AgentCall): void {
    this.#show(call);
    this.#ports.emit(resultMessage(call));
    const succeeded = call.refusal === null && call.facts.status === 'completed';
    if (call.refusal === null && !succeeded) this.#ports.tally.toolErrors += 1;
    if (succeeded && !this.#refusedOperations.delete(callName(call))) this.#refused = null;
    if (succeeded && !call.asked) this.#noticeUnlisted(call);
    call.ended = true;
    // Input and output may be large, and later updates are ignored.
    call.facts = {};
    this.#rounds.onCallEnd();
  }

  // A call that ran without a permission request cannot be undone, only reported.
  #noticeUnlisted(call: AgentCall): void {
    const { policy, spec, emit } = this.#ports;
    if (spec.capability.runsAs === 'keeper') return;
    const names = catalogueNames(toolFacts(call.facts));
    const isAllowed = (name: string): boolean =>
      policy.decide(spec.capability, spec.depth, name).verdict === 'run';
    if (names.some(isAllowed)) return;
    const used = callName(call);
    emit(
      noticeMessage(`The agent used ${used} without asking, although this turn does not list it.`),
    );
  }
}

// `JSON.stringify` returns undefined for some values.
function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
