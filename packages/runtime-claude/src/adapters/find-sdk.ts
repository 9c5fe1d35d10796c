import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failure, messageOf, type Result, success } from '@svc/core';
import { SDK_PACKAGE, SDK_VERSION } from '../version.ts';

/** The part of the SDK module that this package uses. */
export type Sdk = Pick<typeof import('@anthropic-ai/claude-agent-sdk'), 'query'>;

/** An installed SDK. */
export interface FoundSdk {
  readonly version: string;
  /** Path of its module. */
  readonly module: string;
  /** Path of the agent program. */
  readonly program: string;
}

/**
 * Finds the SDK in `<stateFolder>/sdk` or next to this package, without importing it. The error is a sentence with the
 * command that installs it.
 */
export async function findSdk(stateFolder: string): Promise<Result<FoundSdk, string>> {
  const install = `npm install --prefix ${shellWord(join(stateFolder, 'sdk'))} --include=optional ${SDK_PACKAGE}@${SDK_VERSION}`;
  let hasNoProgram = false;
  for (const folder of [ownFolder(stateFolder), packageFolder()]) {
    const manifest = folder === null ? null : await manifestOf(folder);
    if (folder === null || manifest === null) continue;
    const program = await programOf(folder);
    if (program !== null) {
      return success({ version: manifest.version, module: join(folder, manifest.main), program });
    }
    hasNoProgram = true;
  }
  const missing = hasNoProgram
    ? `The Claude Agent SDK is installed without its program for ${process.platform}-${process.arch}`
    : 'The Claude Agent SDK is not installed';
  return failure(`${missing}. Run ${install}`);
}

export async function importSdk({ module }: FoundSdk): Promise<Sdk> {
  return import(pathToFileURL(module).href);
}

/** The reason of a turn that failed because the SDK could not be imported. */
export function loadError(found: FoundSdk, error: unknown): string {
  return `The Claude Agent SDK ${found.version} cannot be loaded: ${messageOf(error)}`;
}

function ownFolder(stateFolder: string): string {
  return join(stateFolder, 'sdk', 'node_modules', SDK_PACKAGE);
}

function packageFolder(): string | null {
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

// The SDK has one package per platform. npm installs the matching one, which is `-musl` on systems without glibc.
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
      // The other package may be installed.
    }
  }
  return null;
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
