import type * as acp from '@agentclientprotocol/sdk';
import { fileRights, type ToolPolicy, type TurnSpec } from '@svc/agent-runtime';
import { placeInFolder } from '../adapters/place-in-folder.ts';
import { type CallFields, catalogueNames, toolFacts } from './catalogue-names.ts';
import { fieldsOf, listOf, textOf } from './json.ts';

/** The decision on a permission request. */
export type Verdict =
  | { readonly runs: true }
  | { readonly runs: false; readonly tool: string; readonly reason: string };

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write', 'Glob', 'Grep']);
const WRITING_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write']);
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'filename'];

/**
 * Decides whether a call may run. The tool policy must allow every tool that the call may stand for. A call that stands
 * for none may run only for a keeper, whose tools are not limited. Paths must be inside the project folder, and protected
 * files must not be written.
 */
export async function decidePermission(
  policy: ToolPolicy,
  spec: TurnSpec,
  call: CallFields,
): Promise<Verdict> {
  const facts = toolFacts(call);
  const names = catalogueNames(facts);
  const tool = names[0] ?? facts.name ?? facts.title;
  const refused = (reason: string): Verdict => ({ runs: false, tool, reason });
  if (facts.kind === 'switch_mode') return refused('An agent must not change its own mode.');
  if (names.length === 0 && !isUnlimited(spec)) {
    return refused(`${tool} is not in the tool list of this turn.`);
  }
  for (const name of names) {
    const decision = policy.decide(spec.capability, spec.depth, name);
    if (decision.verdict !== 'run') return { runs: false, tool: name, reason: decision.reason };
  }
  const writes = names.some((name) => WRITING_TOOLS.has(name));
  if (!writes && !names.some((name) => FILE_TOOLS.has(name))) return { runs: true };
  const problem = await pathProblem(spec, callPaths(call), writes);
  return problem === null ? { runs: true } : refused(problem);
}

function isUnlimited({ capability }: TurnSpec): boolean {
  return capability.runsAs === 'keeper' && capability.permissionMode !== 'plan';
}

async function pathProblem(
  spec: TurnSpec,
  paths: readonly string[],
  writes: boolean,
): Promise<string | null> {
  if (writes && paths.length === 0) return 'The agent did not name the file to write.';
  const rights = fileRights(spec.capability);
  for (const path of paths) {
    const place = await placeInFolder(spec.cwd, path);
    if (place === null) return `${path} is outside the project folder.`;
    const problem = writes ? rights.refusalToWrite(place) : null;
    if (problem !== null) return problem;
  }
  return null;
}

// All paths in the fields of a call.
function callPaths(call: CallFields): readonly string[] {
  const input = fieldsOf(call.rawInput);
  // A patch lists its files as the keys of `changes`.
  const changes = Object.keys(fieldsOf(input['changes']));
  const named = [
    ...listOf(call.locations).map(({ path }) => path),
    ...listOf(call.content).map(({ path }) => path),
    ...PATH_FIELDS.map((field) => input[field]),
    ...changes,
  ];
  return [...new Set(named.map(textOf).filter((path) => path !== null))];
}

/** The response to a permission request. It never selects an option that covers later calls. */
export function permissionResponse(options: unknown, runs: boolean): acp.RequestPermissionResponse {
  const wanted = runs ? 'allow_once' : 'reject_once';
  const option = listOf(options).find(({ kind }) => kind === wanted);
  const optionId = textOf(option?.['optionId']);
  return optionId === null
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId } };
}

/** Whether the agent offers to allow only this call. */
export function canAllowOnce(options: unknown): boolean {
  return listOf(options).some(
    ({ kind, optionId }) => kind === 'allow_once' && textOf(optionId) !== null,
  );
}
