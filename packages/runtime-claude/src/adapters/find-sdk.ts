import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failure, messageOf, type Result, success } from '@svc/core';
import { SDK_PACKAGE, SDK_VERSION } from '../version.ts';

/** The module of the SDK, of which this package uses one function. */
export type Sdk = Pick<typeof import('@anthropic-ai/claude-agent-sdk'), 'query'>;

/** An SDK that is installed. */
export interface FoundSdk {
  readonly version: string;
  /** Path of its module. */
  readonly module: string;
  /** Path of the agent's program. */
  readonly program: string;
}

/**
 * Looks for the SDK in `<stateFolder>/sdk`, then beside this package; imports nothing. Fails with one sentence that says
 * what to run.
 */
export async function findSdk(stateFolder: string): Promise<Result<FoundSdk, string>> {
  const install = `npm install --prefix ${shellWord(join(stateFolder, 'sdk'))} --include=optional ${SDK_PACKAGE}@${SDK_VERSION}`;
  let withoutProgram = false;
  for (const folder of [ownFolder(stateFolder), besideThis()]) {
    const manifest = folder === null ? null : await manifestOf(folder);
    if (folder === null || manifest === null) continue;
    const program = await programOf(folder);
    if (program !== null) {
      return success({ version: manifest.version, module: join(folder, manifest.main), program });
    }
    withoutProgram = true;
  }
  const missing = withoutProgram
    ? `The Claude Agent SDK is there, but not its program for ${process.platform}-${process.arch}`
    : `The Claude Agent SDK is not installed`;
  return failure(`${missing}: run ${install}`);
}

/** Imports it. */
export async function importSdk({ module }: FoundSdk): Promise<Sdk> {
  return import(pathToFileURL(module).href);
}

/** Says that it cannot be imported. */
export function notLoaded(found: FoundSdk, error: unknown): string {
  return `The Claude Agent SDK ${found.version} cannot be loaded: ${messageOf(error)}`;
}

function ownFolder(stateFolder: string): string {
  return join(stateFolder, 'sdk', 'node_modules', SDK_PACKAGE);
}

function besideThis(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(SDK_PACKAGE));
  } catch {
    return null;
  }
}

async function manifestOf(folder: string): Promise<{ version: string; main: string } | null> {
  try {
    const { version, main } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return typeof version === 'string' ? { version, main: String(main ?? 'sdk.mjs') } : null;
  } catch {
    return null;
  }
}

// One package for each platform; npm installs those that fit, which with another C library is the second.
async function programOf(folder: string): Promise<string | null> {
  const { platform, arch } = process;
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  const from = createRequire(join(folder, 'package.json'));
  for (const kind of ['', '-musl']) {
    try {
      const path = from.resolve(`${SDK_PACKAGE}-${platform}-${arch}${kind}/${name}`);
      await access(path);
      return path;
    } catch {
      // The other one may be there.
    }
  }
  return null;
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
