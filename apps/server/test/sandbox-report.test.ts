import { describe, expect, it } from '@jest/globals';
import type { SandboxSupport } from '@svc/sandbox';
import { sandboxReport } from '../src/verbs/sandbox-report.ts';

const linesFor = async (support: SandboxSupport | null): Promise<readonly string[]> => {
  const host = { hiddenFolders: async () => [] };
  const { lines } = await sandboxReport({ host, support }, 'auto', '/usr/bin');
  return lines;
};

describe('what svc doctor reports about sandboxes', () => {
  it('mentions keyrings only if agents can use them', async () => {
    const support = { supported: true, limits: 'cgroup' } as const;
    const [first, limits, ...others] = await linesFor({ ...support, refusesKeys: true });
    expect([first, others]).toEqual(['sandbox: available', []]);
    expect(await linesFor({ ...support, refusesKeys: false })).toEqual([
      first,
      limits,
      '  keyrings   agents can use the kernel keyrings of svc. Install perl, or run: keyctl session - svc serve',
    ]);
  });

  it('is nothing if sandboxes are off', async () => {
    expect(await linesFor(null)).toEqual([]);
  });
});
