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

let installed: Promise<string> | null = null;

/** The folder in which the real SDK with its program is installed, fetched where it is not yet. */
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
  /** Another runtime over the same folders. */
  again(options?: Partial<ClaudeRuntimeOptions>): Runtime;
  close(): Promise<void>;
}

/** Fresh folders, a scripted model, and the runtime with the real SDK before them. */
export async function openWorld(options: Partial<ClaudeRuntimeOptions> = {}): Promise<World> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'svc-claude-deep-')));
  const at = (name: string): string => join(base, name);
  for (const name of ['project', 'outside', 'state']) await mkdir(at(name));
  await symlink(await sdkFolder(), join(at('state'), 'sdk'));
  const model = await startScriptedModel();
  const again = (more: Partial<ClaudeRuntimeOptions> = {}): Runtime =>
    makeRuntime(at('state'), { baseUrl: model.url, ...options, ...more });
  return {
    project: at('project'),
    outside: at('outside'),
    state: at('state'),
    model,
    runtime: again(),
    again,
    async close() {
      await model.close();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function inWorld(
  work: (world: World) => Promise<void>,
  options: Partial<ClaudeRuntimeOptions> = {},
): Promise<void> {
  const world = await openWorld(options);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}
