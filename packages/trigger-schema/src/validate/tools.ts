import { meantName } from '../misspelling.ts';
import { shown } from '../plain.ts';
import { runFields } from '../trigger-fields.schema.ts';
import type { KnownRuntime } from './runtimes.ts';
import { fault, given, type Scope } from './scope.ts';

const MOST = runFields.tools.schema.maxItems;
// Keeps the message within 200 characters.
const MOST_NAMED = 10;

/** A tool that may be listed but does not exist when the trigger fires, with a short reason. */
export interface UnavailableTool {
  readonly name: string;
  readonly reason: string;
}

/** Validation rules of tools. */
export interface ToolRules {
  readonly tools: readonly string[];
  readonly unavailableTools: readonly UnavailableTool[];
}

/** The catalog tools that a runtime lacks; none if it does not enforce lists, because it refuses lists altogether. */
export function toolsLacking(
  tools: readonly string[],
  { name, holds }: KnownRuntime,
): UnavailableTool[] {
  if (holds.toolAllowList !== 'enforced') return [];
  const reason = `the ${name} runtime does not have it`;
  return tools
    .filter((tool) => !holds.tools.includes(tool))
    .map((tool) => ({ name: tool, reason }));
}

/** Checks the list of tools; duplicates are dropped, the order is kept. */
export function readTools(scope: Scope, rules: ToolRules): string[] {
  const value = given(scope, 'tools');
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fault(
      scope,
      'tools',
      `must be a list of tool names, such as [Read, Grep], not ${shown(value)}`,
    );
    return [];
  }
  if (value.length > MOST) {
    fault(scope, 'tools', `must have at most ${MOST} entries, not ${value.length}`);
    return [];
  }
  const kept = new Set<string>();
  // By index, to report the holes of a sparse list too.
  for (let i = 0; i < value.length; i += 1) {
    const name: unknown = value[i];
    if (typeof name === 'string' && kept.has(name)) continue;
    if (checkTool(scope, i, name, rules)) kept.add(name as string);
  }
  return [...kept];
}

// The operations of the service are tools named after its server and the operation.
function meantTool(name: string, tools: readonly string[]): string | null {
  const whole = tools.find((tool) => tool.startsWith('mcp__') && tool.endsWith(`__${name}`));
  return whole ?? meantName(name, tools);
}

function hintFor(name: string, tools: readonly string[]): string {
  const meant = meantTool(name.trim(), tools);
  if (meant !== null) return `; did you mean "${meant}"?`;
  const own = tools.filter((tool) => !tool.startsWith('mcp__'));
  return `. Known tools: ${own.slice(0, MOST_NAMED).join(', ')}${own.length < tools.length ? ', and operations of svc' : ''}`;
}

function checkTool(scope: Scope, index: number, name: unknown, rules: ToolRules): boolean {
  const path = [...scope.path, 'tools', index];
  if (typeof name !== 'string') {
    scope.report.fault(path, `must be the name of a tool, not ${shown(name)}`);
    return false;
  }
  if (!rules.tools.includes(name)) {
    const hint = scope.report.tells('fault') ? hintFor(name, rules.tools) : '';
    scope.report.fault(path, `${shown(name)} is not a known tool${hint}`);
    return false;
  }
  const missing = rules.unavailableTools.find((tool) => tool.name === name);
  if (missing !== undefined) {
    scope.report.warn(
      path,
      `${shown(name)} will not be available when the trigger fires: ${missing.reason}`,
    );
  }
  return true;
}
