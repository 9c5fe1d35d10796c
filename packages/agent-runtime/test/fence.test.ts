import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  describeFence,
  fenceCases,
  playbookOf,
  runFenceCase,
  startScriptedEndpoint,
} from '@svc/agent-runtime/testing';
import { GRANTABLE_TOOLS } from '@svc/records';
import { OPERATIONS } from './operations.ts';
import {
  bash,
  chatModel,
  inFolder,
  makeRuntime,
  makeSpec,
  reaching,
  runTurn,
  step,
} from './support.ts';

const openHost = 'open.test';
const [deps, options] = reaching('*');
const frame = { describe, it, expect };

describe('the native runtime with a playbook', () => {
  const subject = () => ({
    runtime: makeRuntime(deps, options),
    promptOf: playbookOf,
    openHost,
  });
  describeFence(subject, OPERATIONS, frame, { openHost: true });
});

// proves: native.fence.ways-out
describe('the native runtime with a model behind an endpoint', () => {
  const subject = async () => {
    const endpoint = await startScriptedEndpoint();
    const model = chatModel(endpoint.baseUrl);
    return { ...endpoint, runtime: makeRuntime({ ...deps, model }, options), openHost };
  };
  describeFence(subject, OPERATIONS, frame, { openHost: true });
});

describe('the native runtime without /proc', () => {
  const inputs = {
    Read: { file_path: 'a.txt' },
    Glob: { pattern: '*' },
    Grep: { pattern: 'inside', output_mode: 'content' },
    Edit: { file_path: 'a.txt', old_string: 'inside', new_string: 'changed' },
    Write: { file_path: 'sub/b.txt', content: 'x' },
    NotebookEdit: { notebook_path: 'a.txt', edit_mode: 'delete', cell_number: 0 },
  };

  it.each(Object.entries(inputs))('refuses %s with a message', async (name, input) => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a.txt'), 'inside');
      const runtime = makeRuntime({ hasProc: async () => false });
      const spec = makeSpec(folder, { prompt: step(name, input) });
      const { results, end } = await runTurn(runtime, spec);
      const reason = 'File tools cannot read or write safely here: /proc is not mounted.';
      expect(results).toEqual([reason]);
      expect(end).toMatchObject({ outcome: 'denied', denied: [{ tool: name, reason }] });
      expect(await readdir(folder)).toEqual(['a.txt']);
      expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('inside');
    });
  });

  it('still runs commands', async () => {
    await inFolder(async (folder) => {
      const runtime = makeRuntime({ hasProc: async () => false });
      const { end } = await runTurn(runtime, makeSpec(folder, { prompt: bash('true') }));
      expect(end.outcome).toBe('succeeded');
    });
  });
});

describe('the fence suite', () => {
  it('has a case for every tool that can be granted', () => {
    const names = fenceCases(OPERATIONS).map(({ name }) => name);
    for (const tool of GRANTABLE_TOOLS) {
      expect(names.some((name) => name.startsWith(`has no ${tool} if`))).toBe(true);
    }
  });

  it('detects a runtime that ignores its list, writes outside and discloses the secret', async () => {
    const open = makeRuntime();
    const careless = {
      ...open,
      async *start(spec: Parameters<typeof open.start>[0], signal: AbortSignal) {
        const capability = { ...spec.capability, tools: GRANTABLE_TOOLS };
        const author = '```bash\ncat ../outside/secret.txt; touch ../outside/more\n```';
        yield* open.start({ ...spec, capability, prompt: { author } }, signal);
      },
    };
    const subject = { runtime: careless, promptOf: playbookOf };
    const [first] = fenceCases(OPERATIONS).filter(({ name }) => name.includes('list is empty'));
    const faults = first === undefined ? [] : await runFenceCase(subject, first);
    expect(faults.some((fault) => fault.includes('the secret was disclosed'))).toBe(true);
    expect(faults.some((fault) => fault.includes('expected denied'))).toBe(true);
    expect(faults.some((fault) => fault.includes('the folder outside was changed'))).toBe(true);
  });
});
