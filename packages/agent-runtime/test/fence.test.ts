import { describe, expect, it } from '@jest/globals';
import { describeFence, fenceCases, playbookOf, runFenceCase } from '@svc/agent-runtime/testing';
import { GRANTABLE_TOOLS } from '@svc/records';
import { makeRuntime } from './support.ts';

for (const descriptors of ['proc', 'paths'] as const) {
  describe(`the native runtime that holds folders by ${descriptors}`, () => {
    describeFence(() => ({ runtime: makeRuntime({}, { descriptors }), promptOf: playbookOf }), {
      describe,
      it,
      expect,
    });
  });
}

describe('the fence suite', () => {
  it('has a case for every tool that can be granted', () => {
    const names = fenceCases().map(({ name }) => name);
    for (const tool of GRANTABLE_TOOLS) {
      expect(names.some((name) => name.startsWith(`has no ${tool} where`))).toBe(true);
    }
  });

  it('finds a runtime that ignores its list, writes outside and tells the secret', async () => {
    const open = makeRuntime();
    const careless = {
      ...open,
      async *start(spec: Parameters<typeof open.start>[0], signal: AbortSignal) {
        const capability = { ...spec.capability, tools: GRANTABLE_TOOLS };
        const author = '```bash\ncat ../outside/secret.txt; touch ../outside/more\n```';
        yield* open.start({ ...spec, capability, prompt: { author, data: null } }, signal);
      },
    };
    const subject = { runtime: careless, promptOf: playbookOf };
    const [first] = fenceCases().filter(({ name }) => name.includes('list is empty'));
    const faults = first === undefined ? [] : await runFenceCase(subject, first);
    expect(faults.some((fault) => fault.includes('the secret was told'))).toBe(true);
    expect(faults.some((fault) => fault.includes('expected denied'))).toBe(true);
    expect(faults.some((fault) => fault.includes('the folder outside was changed'))).toBe(true);
  });
});
