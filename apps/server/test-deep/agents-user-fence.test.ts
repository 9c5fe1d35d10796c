import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, jest } from '@jest/globals';
import { createNativeRuntime, createPlaybook, createProcessReaper } from '@svc/agent-runtime';
import { fenceCases, playbookOf, runFenceCase } from '@svc/agent-runtime/testing';
import { createSystemClock, silentLogger as logger } from '@svc/core';
import { CATALOGUE } from '@svc/ops';

// Each call starts a Node process.
jest.setTimeout(120_000);

const clock = createSystemClock();
const helper = new URL('../dist/svc-file-helper.js', import.meta.url);

// The current user, which needs no privilege to switch: the test is about the process that works on files.
const user = {
  name: 'tester',
  uid: process.getuid?.() ?? -1,
  gid: process.getgid?.() ?? -1,
  home: tmpdir(),
  prefix: ['/usr/bin/env'] as const,
  fileHelper: readFileSync(helper, 'utf8'),
};
const deps = { clock, logger, reaper: createProcessReaper({ clock, logger }) };
const runtime = createNativeRuntime(
  { ...deps, model: createPlaybook(), operations: CATALOGUE, detectRuntimes: async () => [] },
  { user },
);

describe('tool enforcement with a separate process for files', () => {
  // Whether a tool exists and may run is decided before that process is involved.
  const decided = /^(has no|runs|only reads|still reads|starts no) /;
  const cases = fenceCases(CATALOGUE).filter(({ name }) => !decided.test(name));

  it.each(cases.map((fenceCase) => [fenceCase.name, fenceCase] as const))(
    '%s',
    async (_, tried) => {
      expect(await runFenceCase({ runtime, promptOf: playbookOf }, tried)).toEqual([]);
    },
  );
});
