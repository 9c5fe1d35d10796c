/** Names of the operations that agents and clients have as tools, in the order in which lists show them. */
export const OPERATION_NAMES = [
  'list_projects',
  'list_chats',
  'read_chat',
  'create_project',
  'create_chat',
  'fork_chat',
  'send_message',
  'fork_chat_batch',
  'archive_chat',
  'unarchive_chat',
  'list_triggers',
  'set_trigger',
  'remove_trigger',
  'run_trigger',
] as const;

/** Name of an operation that agents and clients have as a tool. */
export type OperationName = (typeof OPERATION_NAMES)[number];

/** Prefix of an operation's name where an agent sees it as a tool. */
export const MANAGE_PREFIX = 'mcp__svc_manage__';

/** One tool that a trigger may grant. */
export interface CatalogTool {
  readonly name: string;
  readonly group: 'files' | 'shell' | 'web' | 'agents' | 'manage';
  readonly description: string;
  /** Whether it can change things or reach beyond the project folder. */
  readonly dangerous: boolean;
}

/** The tools that are no operations, in the order in which pages show them. */
export const BUILT_IN_TOOLS: readonly CatalogTool[] = [
  {
    name: 'Read',
    group: 'files',
    description: 'Read a file in the project folder.',
    dangerous: false,
  },
  { name: 'Glob', group: 'files', description: 'Find files by name pattern.', dangerous: false },
  { name: 'Grep', group: 'files', description: 'Search file contents.', dangerous: false },
  { name: 'Edit', group: 'files', description: 'Replace text in a file.', dangerous: true },
  { name: 'Write', group: 'files', description: 'Create or overwrite a file.', dangerous: true },
  { name: 'NotebookEdit', group: 'files', description: 'Edit a notebook cell.', dangerous: true },
  {
    name: 'Bash',
    group: 'shell',
    description: 'Run shell commands. Confined only if agents run in a sandbox.',
    dangerous: true,
  },
  { name: 'WebFetch', group: 'web', description: 'Fetch a public web page.', dangerous: true },
  { name: 'WebSearch', group: 'web', description: 'Search the web.', dangerous: true },
  { name: 'Task', group: 'agents', description: 'Start a child turn.', dangerous: true },
];

/** The names of all tools that a trigger may list: the built-in ones, then the operations. */
export const GRANTABLE_TOOLS: readonly string[] = [
  ...BUILT_IN_TOOLS.map((tool) => tool.name),
  ...OPERATION_NAMES.map((name) => `${MANAGE_PREFIX}${name}`),
];

const WRITING_TOOLS = ['Edit', 'Write', 'NotebookEdit', 'Bash'];
const NETWORK_TOOLS = ['Bash', 'WebFetch', 'WebSearch'];

/** Whether an agent with these tools can change files of its project. */
export function canWrite(tools: readonly string[]): boolean {
  return WRITING_TOOLS.some((name) => tools.includes(name));
}

/** Whether an agent with these tools can connect to other hosts. */
export function canConnect(tools: readonly string[]): boolean {
  return NETWORK_TOOLS.some((name) => tools.includes(name));
}

/** Lifecycle events that an event trigger can name. */
export const EVENTS = ['onArchive', 'afterTurn'] as const;
/** One lifecycle event. */
export type EventName = (typeof EVENTS)[number];

/** Kinds of trigger. */
export const TRIGGER_TYPES = ['schedule', 'event', 'webhook'] as const;
/** One kind of trigger. */
export type TriggerType = (typeof TRIGGER_TYPES)[number];

/** Permission modes that a fired turn can run under. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'bypassPermissions', 'plan'] as const;
/** One permission mode. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** States of a project, as its `project.yaml` names them. */
export const PROJECT_STATUSES = [
  'idea',
  'active',
  'paused',
  'blocked',
  'done',
  'abandoned',
] as const;
/** One state of a project. */
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];
