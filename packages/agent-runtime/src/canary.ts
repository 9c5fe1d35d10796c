import type { Clock } from '@svc/core';
import type { AgentUser } from './agent-user.ts';
import { createChatModel } from './chat-model.ts';
import type { OperationEffects } from './decision.ts';
import { canaryCases } from './fence/canary-cases.ts';
import type { FenceSubject } from './fence/fence-case.ts';
import { playbookOf } from './fence/playbook-of.ts';
import { startScriptedEndpoint } from './fence/scripted-endpoint.ts';
import { tryFence } from './fence/try-fence.ts';
import type { TurnModel } from './model.ts';
import { createPlaybook } from './playbook.ts';
import type { FenceVerdict, Runtime } from './runtime.ts';

/** What the canary of the embedded runtime works with. */
export interface CanaryDeps {
  readonly clock: Clock;
  readonly operations: OperationEffects;
  /** The runtime as it is configured, with another model. */
  makeRuntime(model: TurnModel): Runtime;
  readonly user: AgentUser | undefined;
  /** Whether models are asked over HTTP; else escapes are attempted by a playbook, which needs no library. */
  readonly hasEndpoint: boolean;
}

/** Makes real turns in a temporary folder attempt a few escapes. Asks no model, so that it costs nothing. */
export async function tryNativeFence(deps: CanaryDeps): Promise<FenceVerdict> {
  const subject = deps.hasEndpoint ? await chatSubject(deps) : playbookSubject(deps);
  const owner = deps.user === undefined ? {} : { owner: deps.user };
  try {
    return await tryFence({ ...subject, ...owner }, canaryCases(deps.operations));
  } finally {
    await subject.close?.();
  }
}

function playbookSubject({ makeRuntime }: CanaryDeps): FenceSubject {
  return { runtime: makeRuntime(createPlaybook()), promptOf: playbookOf };
}

async function chatSubject({ clock, makeRuntime }: CanaryDeps): Promise<FenceSubject> {
  const { baseUrl, ...script } = await startScriptedEndpoint();
  const model = createChatModel(
    { clock },
    { baseUrl, model: 'canary', apiKey: null, contextTokens: 100_000, prices: null },
  );
  return { runtime: makeRuntime(model), ...script };
}
