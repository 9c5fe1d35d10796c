import { beforeEach, describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { USER } from '@svc/ops';
import { createLocalFetch } from '@svc/rest-surface';
import { createFakeOps, RUN, RUN_ID } from './fake-ops.ts';

const ops = createFakeOps({ logger: createMemoryLogger(), clock: createFakeClock() });
const fetchLocally = createLocalFetch(ops.operations, { ...USER, face: 'cli' });
beforeEach(() => ops.reset());

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetchLocally(new Request(`http://svc.invalid${path}`, init));
  return [response.status, await response.json()];
}

describe('a fetch in this process', () => {
  it('calls the operation of a route with its path, query and body', async () => {
    const path = `/api/projects/alpha/runs?trigger=a+b&outcome=failed,missed&limit=7`;
    expect(await ask(path)).toEqual([200, { runs: [RUN], next: RUN_ID, removed: null }]);
    const query = { trigger: 'a b', outcome: ['failed', 'missed'], limit: 7 };
    const caller = { ...USER, face: 'cli' };
    expect(ops.calls).toEqual([
      { operation: 'list_runs', input: { project: 'alpha', ...query }, caller },
    ]);
    await ask('/api/projects/alpha/triggers/a%20%2F/run', {
      ...{ method: 'POST', body: '{"event":{"a":1}}' },
    });
    expect(ops.calls[1]).toMatchObject({
      operation: 'run_trigger',
      input: { project: 'alpha', name: 'a /', event: { a: 1 } },
    });
  });

  it('answers refusals like the surface', async () => {
    const missing = '01990000-0000-7000-8000-00000000ffff';
    expect(await ask(`/api/runs/${missing}`)).toMatchObject([404, { code: 'not_found' }]);
    const issues = [{ path: 'nope', message: expect.any(String) }];
    expect(await ask('/api/runs?nope=1')).toMatchObject([400, { code: 'invalid', issues }]);
  });

  it('finds no other address, and no stream', async () => {
    for (const path of ['/api/nothing', '/api/runs/a/b', '/api/events', '/runs'])
      expect(await ask(path)).toMatchObject([404, { code: 'not_found' }]);
  });
});
