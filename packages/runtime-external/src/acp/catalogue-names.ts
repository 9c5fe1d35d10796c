import type * as acp from '@agentclientprotocol/sdk';
import { MANAGE_PREFIX } from '@svc/records';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

/** All fields of an agent's tool call. */
export type CallFields = Fields<acp.ToolCallUpdate>;

/** The fields of an agent's tool call that identify its tool. */
export interface ToolFacts {
  /** `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode` or `other`. */
  readonly kind: string;
  /** The agent's name of the tool; null if not reported. */
  readonly name: string | null;
  /** A title for people, which the model may have written. */
  readonly title: string;
  readonly content: readonly Fields[];
  readonly input: Fields;
}

// All tools that a call of a kind may stand for. A kind without a tool in the catalogue maps to the tool that can do the
// same.
const KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['Read']],
  ['edit', ['Edit', 'Write']],
  ['delete', ['Bash']],
  ['move', ['Bash']],
  ['search', ['Glob', 'Grep', 'WebSearch']],
  ['execute', ['Bash']],
  ['fetch', ['WebFetch', 'WebSearch']],
  ['think', ['Task']],
]);

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Read: ['read', 'read_file', 'read_many_files', 'list', 'list_directory', 'ls', 'view'],
    Glob: ['glob'],
    Grep: ['grep', 'search_file_content', 'grep_search'],
    Edit: ['edit', 'multiedit', 'replace', 'str_replace'],
    Write: ['write', 'write_file', 'create_file'],
    Bash: ['bash', 'shell', 'run_shell_command', 'exec_command', 'local_shell'],
    WebFetch: ['webfetch', 'web_fetch', 'fetch'],
    WebSearch: ['websearch', 'web_search', 'google_web_search'],
    Task: ['task', 'agent'],
  }).flatMap(([tool, names]) => names.map((name) => [name, tool] as const)),
);

const OPERATION_SPELLINGS = [
  /^(?:mcp(?:__|_|\.))?svc_manage(?:__|_|\.|\/|: ?)([a-z_]+)$/,
  /^([a-z_]+) \(svc_manage MCP Server\)$/,
];

/**
 * The full names of the catalogue tools that a call may stand for. The call may run only if all of them are allowed. Empty
 * for an unknown call. The kind takes precedence over the name, because the model may influence the name.
 */
export function catalogueNames(call: ToolFacts): readonly string[] {
  if (call.kind === 'switch_mode') return [];
  const named = call.name === null ? undefined : NAMES.get(call.name.toLowerCase());
  const kinds = KINDS.get(call.kind);
  if (kinds !== undefined) return namesOfKind(call, kinds, named);
  const operation = operationOf(call.name ?? '') ?? operationOf(call.title);
  return [operation ?? named].filter((name) => name !== undefined);
}

function namesOfKind(
  call: ToolFacts,
  kinds: readonly string[],
  named: string | undefined,
): readonly string[] {
  const operation = call.kind === 'execute' ? operationInInput(call.input) : null;
  if (operation !== null) return [operation];
  if (named === undefined) return call.kind === 'edit' ? editNames(call.content) : kinds;
  return kinds.includes(named) ? [named] : [...kinds, named];
}

// Agents combine the names of server and tool in different ways. Returns null for other names.
function operationOf(name: string): string | null {
  for (const spelling of OPERATION_SPELLINGS) {
    const [, operation] = spelling.exec(name) ?? [];
    if (operation !== undefined) return `${MANAGE_PREFIX}${operation}`;
  }
  return null;
}

// Codex reports calls of MCP tools with the kind of its shell. A shell command would have additional fields.
function operationInInput(input: Fields): string | null {
  const { server, tool, arguments: args, ...others } = input;
  const isOperation =
    server === 'svc_manage' && args !== undefined && Object.keys(others).length === 0;
  return isOperation && typeof tool === 'string' ? `${MANAGE_PREFIX}${tool}` : null;
}

/** Reads the facts from a session update or a permission request. */
export function toolFacts(call: CallFields): ToolFacts {
  const claudeCode = fieldsOf(fieldsOf(call._meta)['claudeCode']);
  return {
    kind: textOf(call.kind) ?? 'other',
    name: textOf(call.name) ?? textOf(claudeCode['toolName']),
    title: textOf(call.title) ?? '',
    content: listOf(call.content),
    input: fieldsOf(call.rawInput),
  };
}

function editNames(content: readonly Fields[]): readonly string[] {
  const diffs = content.filter(({ type }) => type === 'diff');
  const names = diffs.map(({ oldText }) => (textOf(oldText) === null ? 'Write' : 'Edit'));
  return names.length === 0 ? ['Edit', 'Write'] : [...new Set(names)];
}
