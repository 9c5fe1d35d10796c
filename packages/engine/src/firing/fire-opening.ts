import type { Runtime } from '@svc/agent-runtime';
import { newId } from '@svc/core';
import type { Capability, NewMessage } from '@svc/records';
import type { OwnedChat, TurnOpening } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import { startedDepth } from '../caller.ts';
import { type Definition, definitionHash } from '../definition.ts';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import type { FireRequest } from './fire-request.ts';
import { instructionsFor } from './instructions.ts';
import { openingMessages } from './opening-messages.ts';

/** Everything needed to start the turn of a fire. */
export interface Preparation {
  readonly definition: Definition;
  readonly runtime: Runtime;
  readonly prompt: string;
  readonly capability: Capability;
  readonly model: string | null;
  readonly project: ProjectSettings;
}

/** The opening of the turn: its chat, its run and its first messages. */
export async function fireOpening(
  deps: EngineDeps,
  settings: EngineSettings,
  request: FireRequest,
  prepared: Preparation,
): Promise<TurnOpening> {
  const { key, caller, event = null } = request;
  const { definition, capability, model, runtime } = prepared;
  const by = caller?.actor ?? null;
  const depth = caller === null ? 0 : startedDepth(caller, 0);
  const at = deps.clock.now();
  const resumes = definition.session === 'resume';
  const owned = resumes ? await deps.store.chats.ownedBy(key.project, key.source, key.name) : null;
  // A session of one runtime is useless to another.
  const goesOn = owned?.runtime === runtime.id;
  const left = owned === null || goesOn ? null : owned;
  const sessionId = goesOn ? owned.sessionId : newId();
  const instructions = instructionsFor(capability, prepared.project);
  return {
    turnId: newId(),
    sessionId,
    project: key.project,
    prompt: prepared.prompt,
    context: event,
    capability,
    depth,
    parentTurn: caller?.turnId ?? null,
    timeoutMs: definition.run.timeoutMs ?? settings.turnTimeoutMs,
    model,
    at,
    definitionHash: definitionHash(definition.record),
    chat: goesOn
      ? null
      : {
          sessionId,
          project: key.project,
          name: key.name,
          origin: 'trigger',
          triggerName: key.name,
          by,
          capability,
          model,
          runtime: runtime.id,
          forkedFrom: null,
          depth,
          instructions,
        },
    run:
      request.claimed !== null
        ? { claimed: request.claimed }
        : { fresh: { id: newId(), key, cause: request.cause, by, claimedAt: at } },
    owner: resumes && !goesOn ? key : null,
    messages: openingMessages(settings.toolPolicy, {
      capability,
      event,
      runtime,
      model,
      ...(left === null ? {} : { notice: movedNotice(left, runtime.id) }),
      instructions: goesOn ? null : instructions,
      prompt: prepared.prompt,
      by,
    }),
  };
}

function movedNotice({ sessionId, runtime }: OwnedChat, now: string): NewMessage {
  const text = `This trigger previously ran in chat ${sessionId} on the ${runtime} runtime. It now runs on ${now}, which cannot resume that chat, so this is a new one.`;
  return { role: 'system', kind: 'notice', text, tool: null };
}
