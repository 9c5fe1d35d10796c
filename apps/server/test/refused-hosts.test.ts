import { describe, expect, it } from '@jest/globals';
import type { Api } from '@svc/client';
import type { Run } from '@svc/records';
import type { Settings } from '@svc/settings';
import { readRefusals } from '../src/verbs/refused-hosts.ts';

type Parts = Partial<Pick<Run, 'id' | 'trigger' | 'runtime'>>;

const LISTED = 'api.vendor.example:443 is not an allowed host. Add api.vendor.example:443 to x.';

function runWith(hosts: readonly string[] | null, parts: Parts = {}, reason = LISTED): object {
  const refused = hosts?.map((host) => ({ host, port: 443, count: 2, reason }));
  const network = hosts === null ? null : { reached: [], refused };
  const ids = { id: 'r1', project: 'demo', source: 'trigger', trigger: 'it', runtime: 'codex' };
  return { ...ids, ...parts, network };
}

async function refusalsIn(
  runs: readonly object[],
  hosts: readonly string[] = [],
): Promise<Record<string, readonly string[]>> {
  const api = { GET: async () => ({ data: { runs } }) } as unknown as Api;
  const codex = { hosts } as unknown as Settings['runtime']['external'][string];
  return Object.fromEntries(await readRefusals(api, { codex }));
}

const line = (host: string, id = 'r1'): string =>
  `${host}:443 in run ${id}; if the agent needs it, add it to runtime.external.codex.hosts`;

describe('refused hosts of external agents', () => {
  it('are those of the newest run of each trigger that has a record', async () => {
    const found = await refusalsIn([
      runWith(null, { id: 'r5' }),
      runWith(['a.example'], { id: 'r4' }),
      runWith(['b.example'], { id: 'r3' }),
      runWith(['a.example', 'c.example'], { id: 'r2', trigger: 'other' }),
      runWith(['d.example'], { id: 'r1', trigger: 'third', runtime: 'native' }),
    ]);
    expect(found).toEqual({ codex: [line('a.example', 'r4'), line('c.example', 'r2')] });
  });

  it('are not those that are listed by now, or refused for another reason', async () => {
    expect(await refusalsIn([runWith(['a.example', 'b.example'])], ['a.example'])).toEqual({
      codex: [line('b.example')],
    });
    expect(await refusalsIn([runWith(['10.0.0.1'], {}, 'x is not a public address.')])).toEqual({});
  });

  it('are at most five, and none if no server responds', async () => {
    const hosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.example`);
    const { codex } = await refusalsIn([runWith(hosts)]);
    expect(codex).toEqual(hosts.slice(0, 5).map((host) => line(host)));
    expect((await readRefusals(null, {})).size).toBe(0);
  });
});
