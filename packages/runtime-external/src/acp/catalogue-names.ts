import { MANAGE_PREFIX } from '@svc/records';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

/** What an agent tells of one of its tool calls. */
export interface ToolFacts {
  /** `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode` or `other`. */
  readonly kind: string;
  /** The agent's name of the tool; null where it does not tell. */
  readonly name: string | null;
  /** What the agent calls this call for people; may be written by the model. */
  readonly title: string;
  readonly content: readonly Fields[];
  readonly input: Fields;
}

// All that a call of a kind may be. Where the catalogue has no such tool, the one that can do as much.
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
 * The tools of the catalogue that a call may stand for, by full name: all of them have to be held for it to run. Empty
 * where nothing is known of it. What kind of call it is counts before what it is called, as the model has a say in that.
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
  const addressed = call.kind === 'execute' ? addressedOperation(call.input) : null;
  if (addressed !== null) return [addressed];
  if (named === undefined) return call.kind === 'edit' ? editNames(call.content) : kinds;
  return kinds.includes(named) ? [named] : [...kinds, named];
}

// In the spellings that agents have; null for what is no operation.
function operationOf(name: string): string | null {
  for (const spelling of OPERATION_SPELLINGS) {
    const [, operation] = spelling.exec(name) ?? [];
    if (operation !== undefined) return `${MANAGE_PREFIX}${operation}`;
  }
  return null;
}

// As Codex tells of tools of MCP servers, whose kind is that of its shell. A shell command would have a field of its own.
function addressedOperation(input: Fields): string | null {
  const { server, tool, arguments: args, ...others } = input;
  const isOne = server === 'svc_manage' && args !== undefined && Object.keys(others).length === 0;
  return isOne && typeof tool === 'string' ? `${MANAGE_PREFIX}${tool}` : null;
}

/** What an agent says of a call, in a notification or a request. */
export function toolFacts(call: Fields): ToolFacts {
  const inner = fieldsOf(fieldsOf(call['_meta'])['claudeCode']);
  return {
    kind: textOf(call['kind']) ?? 'other',
    name: textOf(call['name']) ?? textOf(inner['toolName']),
    title: textOf(call['title']) ?? '',
    content: listOf(call['content']),
    input: fieldsOf(call['rawInput']),
  };
}

function editNames(content: readonly Fields[]): readonly string[] {
  const diffs = content.filter(({ type }) => type === 'diff');
  const names = diffs.map(({ oldText }) => (textOf(oldText) === null ? 'Write' : 'Edit'));
  return names.length === 0 ? ['Edit', 'Write'] : [...new Set(names)];
}
