import { isAbsolute, join, relative } from 'node:path';
import {
  type FileRights,
  type FolderFault,
  fileRights,
  type Places,
  type ToolPolicy,
  type TurnSpec,
} from '@svc/agent-runtime';
import { isRecord } from '@svc/core';
import type { Capability } from '@svc/records';
import { webAddressProblem } from './adapters/web-address.ts';

/** One tool call of a turn. */
export interface GuardedCall {
  /** Name in the tool catalogue. */
  readonly tool: string;
  readonly input: unknown;
  /** Whether a child agent made it. */
  readonly byChild: boolean;
}

/** Decides whether calls may run, by the tool policy and the paths of file tools. */
export interface CallGuard {
  /** Names of the tools of the turn. */
  readonly tools: readonly string[];
  /** Why a call must not run; null if it may. */
  check(call: GuardedCall): Promise<FolderFault | null>;
}

/** Dependencies of a call guard. */
export interface CallGuardParts {
  readonly spec: TurnSpec;
  readonly policy: ToolPolicy;
  /** The project folder. */
  readonly places: Places;
  /** The absolute folder in which the agent program stores long results of this session; null if not known yet. */
  readonly resultsFolder: () => string | null;
  /** Whether the agent program can only connect through a proxy, which checks addresses. */
  readonly hasProxy: boolean;
}

const PATH_OF: Readonly<Record<string, string>> = {
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  Glob: 'path',
  Grep: 'path',
};
const WRITING_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit']);

/** Maps a tool name of the agent program to the catalogue. The program calls one tool by another name. */
export function catalogueName(tool: string): string {
  return tool === 'Agent' ? 'Task' : tool;
}

/** Creates the call guard of one turn. */
export function createCallGuard(parts: CallGuardParts): CallGuard {
  const { spec, policy } = parts;
  const rights = fileRights(spec.capability);
  const runs = (capability: Capability, depth: number, tool: string): boolean =>
    policy.decide(capability, depth, tool).verdict === 'run';
  const child = childOf(policy, spec.capability);
  return {
    tools: spec.capability.tools.filter((tool) => runs(spec.capability, spec.depth, tool)),
    async check(call) {
      const capability = call.byChild ? child : spec.capability;
      const depth = call.byChild ? spec.depth + 1 : spec.depth;
      const decision = policy.decide(capability, depth, call.tool);
      if (decision.verdict !== 'run') return { kind: 'refused', reason: decision.reason };
      if (call.tool !== 'WebFetch') return checkPaths(parts, rights, call);
      // Names that are not in the list of hosts must not be resolved.
      return parts.hasProxy ? null : checkAddress(call);
    },
  };
}

// The calls of a child do not show its depth, so children cannot start turns at all.
function childOf(policy: ToolPolicy, capability: Capability): Capability {
  return { ...capability, tools: capability.tools.filter((tool) => !policy.startsTurns(tool)) };
}

async function checkAddress({ input }: GuardedCall): Promise<FolderFault | null> {
  const reason = isRecord(input) ? await webAddressProblem(String(input['url'])) : null;
  return reason === null ? null : { kind: 'refused', reason };
}

async function checkPaths(
  parts: CallGuardParts,
  rights: FileRights,
  { tool, input }: GuardedCall,
): Promise<FolderFault | null> {
  const field = PATH_OF[tool];
  if (field === undefined || !isRecord(input)) return null;
  const writeRights = WRITING_TOOLS.has(tool) ? rights : null;
  const paths = [input[field], ...(tool === 'Glob' ? [searchRoot(input['pattern'])] : [])];
  for (const path of paths.filter((value) => typeof value === 'string')) {
    if (writeRights === null && isStoredResult(parts, path)) continue;
    const fault = await checkSpellings(parts.places, path, writeRights);
    if (fault !== null) return fault;
  }
  return null;
}

// The agent program trims paths, normalizes Unicode and expands `~`.
async function checkSpellings(
  places: Places,
  path: string,
  rights: FileRights | null,
): Promise<FolderFault | null> {
  if (path.trim().startsWith('~')) {
    return { kind: 'refused', reason: `${path} is outside the project folder.` };
  }
  for (const spelling of new Set([path, path.trim(), path.trim().normalize('NFC')])) {
    const fault = await places.faultOf(spelling, rights);
    if (fault !== null) return fault;
  }
  return null;
}

// The folder in which a pattern starts to search, if it is not the folder of the call. The search does not follow links.
function searchRoot(pattern: unknown): unknown {
  if (typeof pattern !== 'string') return pattern;
  if (/(?:^|[/{,])\.\.(?:$|[/},])/.test(pattern)) return '..';
  if (!/^\s*[/~]/.test(pattern)) return undefined;
  const names = pattern.split('/');
  const firstWildcard = names.findIndex((name) => /[*?[\]{}!()]/.test(name));
  return names.slice(0, firstWildcard === -1 ? names.length : firstWildcard).join('/') || '/';
}

function isStoredResult({ resultsFolder }: CallGuardParts, path: string): boolean {
  const folder = resultsFolder();
  if (folder === null || !isAbsolute(path)) return false;
  const below = relative(folder, join(path));
  return below !== '' && /^[\w-]+\.(?:txt|json)$/.test(below);
}
