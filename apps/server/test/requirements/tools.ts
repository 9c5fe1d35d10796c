import type { Rows } from './rows.ts';

/** The operations as tools of keepers and clients. */
export const TOOLS: Rows = {
  'tools.schemas.plain':
    'The schemas of all tools have one type for each property and nothing that a client is known to refuse.',
  'tools.arguments.read':
    'Tools accept numbers and booleans as text, and null or empty text for optional arguments.',
  'catalogue.read': 'list_projects, list_chats and read_chat exist and work as described.',
  'catalogue.write':
    'create_project, create_chat, fork_chat, send_message, fork_chat_batch, archive_chat and unarchive_chat exist and work as described.',
  'catalogue.trigger':
    'list_triggers, set_trigger, remove_trigger and run_trigger exist and work as described.',
  'catalogue.names-of-rules': 'The entries of allow and deny are the names of the tools.',
  'catalogue.keeper-names': 'A keeper sees them as mcp__svc_manage__<operation>.',
  'keeper-gates.triggers':
    'A keeper has the trigger tools only with self-management, its write layer and the hooks gate together, of the instance or the project.',
  'trigger-tools.every-type': 'The trigger tools manage every type of trigger.',
  'set-trigger.flat': 'The arguments of set_trigger are flat, in snake case.',
  'set-trigger.name': 'name is required.',
  'set-trigger.type': 'type is schedule, event or webhook; if omitted, it does not change.',
  'set-trigger.cron': 'cron has five fields, host-local, or is a nickname.',
  'set-trigger.cron-or-interval': 'Exactly one of cron and interval is given.',
  'set-trigger.interval': 'interval is a duration.',
  'set-trigger.event': 'event is onArchive, or afterTurn for the curator.',
  'set-trigger.prompt': 'prompt is inline, and replaces prompt_file.',
  'set-trigger.prompt-file':
    'prompt_file names a file that is read at each fire, and replaces prompt.',
  'set-trigger.prompt-or-file': 'Either prompt or prompt_file is given.',
  'set-trigger.session': 'session is new by default, or resume.',
  'set-trigger.tools': 'tools is an array, JSON text, or separated by commas or lines.',
  'set-trigger.tools-empty':
    'Without tools a hook has none, and a schedule has those of the keeper.',
  'set-trigger.model': 'model overrides the model of the keeper.',
  'set-trigger.permission-mode': 'permission_mode is one of four.',
  'set-trigger.max-spawn-depth': 'max_spawn_depth 0 is no spawning.',
  'set-trigger.max-turns': 'max_turns limits the turn; 30 by default.',
  'set-trigger.enabled': 'enabled is false on a new trigger, unchanged on another.',
  'set-trigger.project': 'project names the project; the default is the current one.',
  'set-trigger.patch': 'An edit that omits a field leaves it unchanged.',
  'list-triggers': 'list_triggers lists triggers of all types, with capability and state.',
  'remove-trigger': 'remove_trigger deletes a trigger by name.',
  'run-trigger.now': 'run_trigger fires at once, by the same path as Run now; a real turn starts.',
  'run-trigger.gated': 'run_trigger is gated with the other trigger operations.',
  'other-operations': 'The other operations have parameters and results as published.',
};
