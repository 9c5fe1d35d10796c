import { fileRights, type ToolPolicy, type TurnSpec } from '@svc/agent-runtime';
import { placeInFolder } from '../adapters/place-in-folder.ts';
import { callPaths } from './call-paths.ts';
import { catalogueNames, toolFacts } from './catalogue-names.ts';
import { type Fields, listOf, textOf } from './json.ts';

/** Whether a call that an agent asks about may run. */
export type Verdict =
  | { readonly runs: true }
  | { readonly runs: false; readonly tool: string; readonly reason: string };

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write', 'Glob', 'Grep']);
const WRITING: ReadonlySet<string> = new Set(['Edit', 'Write']);

/**
 * Decides about one call, by the one decision: every tool that it may stand for has to run. One that stands for none runs
 * only where nothing was listed, as for a keeper. Files are inside the project folder, and those that no turn writes stay.
 */
export async function judge(policy: ToolPolicy, spec: TurnSpec, call: Fields): Promise<Verdict> {
  const facts = toolFacts(call);
  const names = catalogueNames(facts);
  const tool = names[0] ?? facts.name ?? facts.title;
  const refused = (reason: string): Verdict => ({ runs: false, tool, reason });
  if (facts.kind === 'switch_mode') return refused('The mode of an agent is not for it to change.');
  if (names.length === 0 && !isFree(spec)) {
    return refused(`${tool} is none of the tools that this turn lists.`);
  }
  for (const name of names) {
    const decision = policy.decide(spec.capability, spec.depth, name);
    if (decision.verdict !== 'run') return { runs: false, tool: name, reason: decision.reason };
  }
  const writes = names.some((name) => WRITING.has(name));
  if (!writes && !names.some((name) => FILE_TOOLS.has(name))) return { runs: true };
  const fault = await placeFault(spec, callPaths(call), writes);
  return fault === null ? { runs: true } : refused(fault);
}

function isFree({ capability }: TurnSpec): boolean {
  return capability.runsAs === 'keeper' && capability.permissionMode !== 'plan';
}

async function placeFault(
  spec: TurnSpec,
  paths: readonly string[],
  writes: boolean,
): Promise<string | null> {
  if (writes && paths.length === 0) return 'The agent does not say which file it would write.';
  const rights = fileRights(spec.capability);
  for (const path of paths) {
    const place = await placeInFolder(spec.cwd, path);
    if (place === null) return `${path} is outside the project folder.`;
    const fault = writes ? rights.refusalToWrite(place) : null;
    if (fault !== null) return fault;
  }
  return null;
}

/** The answer to a request for a permission: once or not at all, never for later calls too. */
export function permissionAnswer(options: unknown, runs: boolean): object {
  const wanted = runs ? 'allow_once' : 'reject_once';
  const option = listOf(options).find(({ kind }) => kind === wanted);
  const optionId = textOf(option?.['optionId']);
  return optionId === null
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId } };
}

/** Whether there is an answer that lets the call run just this once. */
export function canAllowOnce(options: unknown): boolean {
  return listOf(options).some(
    ({ kind, optionId }) => kind === 'allow_once' && textOf(optionId) !== null,
  );
}
