/** What an operation does to the world. */
export type OperationClass = 'read' | 'write' | 'trigger';

/** The operations of the service; policy and tools use these names. */
export const OPERATIONS = {
  list_projects: 'read',
  list_chats: 'read',
  read_chat: 'read',
  create_project: 'write',
  create_chat: 'write',
  fork_chat: 'write',
  send_message: 'write',
  fork_chat_batch: 'write',
  archive_chat: 'write',
  unarchive_chat: 'write',
  list_triggers: 'trigger',
  set_trigger: 'trigger',
  remove_trigger: 'trigger',
  run_trigger: 'trigger',
} as const satisfies Readonly<Record<string, OperationClass>>;

/** One of the fourteen operations. */
export type OperationName = keyof typeof OPERATIONS;

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

const BUILT_IN: readonly CatalogTool[] = [
  {
    name: 'Read',
    group: 'files',
    description: 'Read a file of the project folder.',
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
    description: 'Run shell commands. Not confined to the project folder.',
    dangerous: true,
  },
  { name: 'WebFetch', group: 'web', description: 'Fetch a public web page.', dangerous: true },
  { name: 'WebSearch', group: 'web', description: 'Search the web.', dangerous: true },
  { name: 'Task', group: 'agents', description: 'Start a child turn.', dangerous: true },
];

const OPERATION_TOOLS: readonly CatalogTool[] = [
  ['list_projects', 'List the projects.', false],
  ['list_chats', 'List chats.', false],
  ['read_chat', 'Read the newest messages of a chat.', false],
  ['create_project', 'Create a project.', true],
  ['create_chat', 'Start a chat with a prompt.', true],
  ['fork_chat', 'Copy a chat, and continue the copy.', true],
  ['send_message', 'Send a message to a chat.', true],
  ['fork_chat_batch', 'Copy a chat several times, each with its own prompt.', true],
  ['archive_chat', 'Archive a chat.', true],
  ['unarchive_chat', 'Bring an archived chat back.', true],
  ['list_triggers', 'List the triggers of a project.', false],
  ['set_trigger', 'Create or change a trigger.', true],
  ['remove_trigger', 'Delete a trigger.', true],
  ['run_trigger', 'Fire a trigger now.', true],
].map(([name, description, dangerous]) => ({
  name: `${MANAGE_PREFIX}${String(name)}`,
  group: 'manage',
  description: String(description),
  dangerous: Boolean(dangerous),
}));

/** Every tool that a trigger may list, in the order in which pages show them. */
export const TOOL_CATALOG: readonly CatalogTool[] = [...BUILT_IN, ...OPERATION_TOOLS];

/** The names in `TOOL_CATALOG`, in its order. */
export const GRANTABLE_TOOLS: readonly string[] = TOOL_CATALOG.map((tool) => tool.name);

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
