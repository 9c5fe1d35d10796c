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
import { webFault } from './adapters/web-address.ts';

/** One tool call of a turn. */
export interface FencedCall {
  /** Name as the catalogue has it. */
  readonly tool: string;
  readonly input: unknown;
  /** Whether a child agent made it. */
  readonly byChild: boolean;
}

/** Decides on calls: the one decision, and where the paths of file tools lead. */
export interface CallFence {
  /** Names of the tools that exist for the turn. */
  readonly tools: readonly string[];
  /** Why a call must not run; null where it may. */
  faultOf(call: FencedCall): Promise<FolderFault | null>;
}

/** What a fence works with. */
export interface CallFenceParts {
  readonly spec: TurnSpec;
  readonly policy: ToolPolicy;
  /** The project folder. */
  readonly places: Places;
  /** Where the agent's program lays long results of this session aside, absolute; null while that is not known. */
  readonly resultsFolder: () => string | null;
}

const PATH_OF: Readonly<Record<string, string>> = {
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  Glob: 'path',
  Grep: 'path',
};
const WRITING: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit']);

/** The agent's program calls the tool by another name. */
export function catalogueName(tool: string): string {
  return tool === 'Agent' ? 'Task' : tool;
}

/** Makes the fence of one turn. */
export function createCallFence(parts: CallFenceParts): CallFence {
  const { spec, policy } = parts;
  const rights = fileRights(spec.capability);
  const runs = (capability: Capability, depth: number, tool: string): boolean =>
    policy.decide(capability, depth, tool).verdict === 'run';
  const child = childOf(policy, spec.capability);
  return {
    tools: spec.capability.tools.filter((tool) => runs(spec.capability, spec.depth, tool)),
    async faultOf(call) {
      const capability = call.byChild ? child : spec.capability;
      const depth = call.byChild ? spec.depth + 1 : spec.depth;
      const decision = policy.decide(capability, depth, call.tool);
      if (decision.verdict !== 'run') return { kind: 'refused', reason: decision.reason };
      return call.tool === 'WebFetch' ? addressFault(call) : pathFault(parts, rights, call);
    },
  };
}

// How deep a child of a child is, its calls do not tell: children have none of their own.
function childOf(policy: ToolPolicy, capability: Capability): Capability {
  return { ...capability, tools: capability.tools.filter((tool) => !policy.startsTurns(tool)) };
}

async function addressFault({ input }: FencedCall): Promise<FolderFault | null> {
  const reason = isRecord(input) ? await webFault(String(input['url'])) : null;
  return reason === null ? null : { kind: 'refused', reason };
}

async function pathFault(
  parts: CallFenceParts,
  rights: FileRights,
  { tool, input }: FencedCall,
): Promise<FolderFault | null> {
  const field = PATH_OF[tool];
  if (field === undefined || !isRecord(input)) return null;
  const writing = WRITING.has(tool) ? rights : null;
  const paths = [input[field], ...(tool === 'Glob' ? [startOf(input['pattern'])] : [])];
  for (const path of paths.filter((each) => typeof each === 'string')) {
    if (writing === null && isLaidAside(parts, path)) continue;
    const fault = await faultOfSpellings(parts.places, path, writing);
    if (fault !== null) return fault;
  }
  return null;
}

// The program takes blanks off the ends, puts characters together, and knows a home folder by `~`.
async function faultOfSpellings(
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

// Where a pattern begins to search, if that is not the folder of the call: links are not followed on the way down.
function startOf(pattern: unknown): unknown {
  if (typeof pattern !== 'string') return pattern;
  if (/(?:^|[/{,])\.\.(?:$|[/},])/.test(pattern)) return '..';
  if (!/^\s*[/~]/.test(pattern)) return undefined;
  const names = pattern.split('/');
  const wild = names.findIndex((name) => /[*?[\]{}!()]/.test(name));
  return names.slice(0, wild === -1 ? names.length : wild).join('/') || '/';
}

function isLaidAside({ resultsFolder }: CallFenceParts, path: string): boolean {
  const folder = resultsFolder();
  if (folder === null || !isAbsolute(path)) return false;
  const below = relative(folder, join(path));
  return below !== '' && /^[\w-]+\.(?:txt|json)$/.test(below);
}
