import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Runtime } from '@svc/agent-runtime';
import type { ClaudeRuntimeOptions } from '@svc/runtime-claude';
import { type ScriptedModel, startScriptedModel } from '@svc/runtime-claude/testing';
import { makeRuntime } from '../test/support.ts';

const INSTALLER = fileURLToPath(
  new URL('../../../apps/server/test-deep/install-foreign.mjs', import.meta.url),
);
const NAME = 'claude-agent-sdk';

/** The module that works on files as the user of agents. */
export const FILE_HELPER: string = `import ${JSON.stringify(
  new URL('../../agent-runtime/dist/file-helper.js', import.meta.url).href,
)};`;

let installed: Promise<string> | null = null;

/** The folder with the real SDK and its program, which are installed on first use. */
function sdkFolder(): Promise<string> {
  installed ??= promisify(execFile)(process.execPath, [INSTALLER, NAME]).then(
    ({ stdout }) => JSON.parse(stdout)[NAME],
  );
  return installed;
}

export interface World {
  /** The project folder. */
  readonly project: string;
  readonly outside: string;
  readonly state: string;
  readonly model: ScriptedModel;
  readonly runtime: Runtime;
  /** Creates another runtime with the same folders. */
  createRuntime(options?: Partial<ClaudeRuntimeOptions>): Runtime;
  close(): Promise<void>;
}

/** Creates temporary folders, a scripted model, and a runtime with the real SDK. */
export async function openWorld(options: Partial<ClaudeRuntimeOptions> = {}): Promise<World> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'svc-claude-deep-')));
  const pathOf = (name: string): string => join(base, name);
  for (const name of ['project', 'outside', 'state']) await mkdir(pathOf(name));
  await symlink(await sdkFolder(), join(pathOf('state'), 'sdk'));
  const model = await startScriptedModel();
  const runtimeWith = (more: Partial<ClaudeRuntimeOptions> = {}): Runtime =>
    makeRuntime(pathOf('state'), { baseUrl: model.url, ...options, ...more });
  return {
    project: pathOf('project'),
    outside: pathOf('outside'),
    state: pathOf('state'),
    model,
    runtime: runtimeWith(),
    createRuntime: runtimeWith,
    async close() {
      await model.close();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function inWorld(
  test: (world: World) => Promise<void>,
  options: Partial<ClaudeRuntimeOptions> = {},
): Promise<void> {
  const world = await openWorld(options);
  try {
    await test(world);
  } finally {
    await world.close();
  }
}
