import { connectionCounts, type RunNetwork, type SandboxState } from '@svc/records';
import { GEN_AI, SVC } from './attribute-names.ts';
import type { FindProvider } from './model-provider.ts';
import type { Span } from './span.ts';

/** Facts about a turn, from its record or from observing it. */
export interface AgentFacts {
  readonly turnId: string;
  /** Name of the agent; null if it has none. */
  readonly agent: string | null;
  readonly sessionId: string | null;
  readonly runtime: string | null;
  readonly model: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly toolErrors: number | null;
  readonly denied: number;
  readonly sandbox: SandboxState | null;
  readonly network: RunNetwork | null;
  /** US dollars. */
  readonly cost: number | null;
}

/** Name of the span of a turn. */
export function agentName({ agent }: Pick<AgentFacts, 'agent'>): string {
  return agent === null ? 'invoke_agent' : `invoke_agent ${agent}`;
}

/** Attributes of the span of a turn. */
export function agentAttributes(facts: AgentFacts, findProvider: FindProvider): Span['attributes'] {
  const { runtime, model } = facts;
  // Only numbers: an agent can make up names of hosts.
  const connections = connectionCounts(facts.network);
  return {
    [GEN_AI.operation]: 'invoke_agent',
    [GEN_AI.provider]: findProvider(runtime ?? '', model).provider,
    [GEN_AI.agent]: facts.agent,
    [GEN_AI.conversation]: facts.sessionId,
    [GEN_AI.requestModel]: model,
    [GEN_AI.tokensIn]: facts.tokensIn,
    [GEN_AI.tokensOut]: facts.tokensOut,
    [SVC.turn]: facts.turnId,
    [SVC.runtime]: runtime,
    [SVC.modelCalls]: facts.modelCalls,
    [SVC.toolCalls]: facts.toolCalls,
    [SVC.toolErrors]: facts.toolErrors,
    [SVC.denied]: facts.denied,
    [SVC.sandbox]: facts.sandbox,
    [SVC.reached]: connections?.reached ?? null,
    [SVC.refused]: connections?.refused ?? null,
    [SVC.cost]: facts.cost,
  };
}
