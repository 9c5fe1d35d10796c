import type { Clock } from '@svc/core';
import type { AgentUser } from './agent-user.ts';
import { createChatModel } from './chat-model.ts';
import type { OperationEffects } from './decision.ts';
import type { FenceSubject } from './fence/fence-case.ts';
import { playbookOf } from './fence/playbook-of.ts';
import { runSelfTest } from './fence/run-self-test.ts';
import { startScriptedEndpoint } from './fence/scripted-endpoint.ts';
import { selfTestCases } from './fence/self-test-cases.ts';
import type { TurnModel } from './model.ts';
import { createPlaybook } from './playbook.ts';
import type { Runtime, SelfTestResult } from './runtime.ts';

/** Dependencies of the self-test of the embedded runtime. */
export interface SelfTestDeps {
  readonly clock: Clock;
  readonly operations: OperationEffects;
  /** Creates the runtime with its configured options and another model. */
  makeRuntime(model: TurnModel): Runtime;
  readonly user: AgentUser | undefined;
  /** Whether the model is behind an HTTP endpoint. If not, a playbook attempts the escapes, which loads no library. */
  readonly hasEndpoint: boolean;
}

/** Runs real turns that attempt a few escapes in a temporary folder. No model is called, so the test is free. */
export async function runNativeSelfTest(deps: SelfTestDeps): Promise<SelfTestResult> {
  const subject = deps.hasEndpoint ? await chatSubject(deps) : playbookSubject(deps);
  const owner = deps.user === undefined ? {} : { owner: deps.user };
  try {
    return await runSelfTest({ ...subject, ...owner }, selfTestCases(deps.operations));
  } finally {
    await subject.close?.();
  }
}

function playbookSubject({ makeRuntime }: SelfTestDeps): FenceSubject {
  return { runtime: makeRuntime(createPlaybook()), promptOf: playbookOf };
}

async function chatSubject({ clock, makeRuntime }: SelfTestDeps): Promise<FenceSubject> {
  const { baseUrl, ...script } = await startScriptedEndpoint();
  const model = createChatModel(
    { clock },
    { baseUrl, model: 'self-test', apiKey: null, contextTokens: 100_000, prices: null },
  );
  return { runtime: makeRuntime(model), ...script };
}
