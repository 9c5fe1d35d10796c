import type { OperationEffects } from '@svc/agent-runtime';

/** The operations behind the catalogue tools and their effects, written by hand. */
export const OPERATIONS: OperationEffects = {
  list_projects: { effect: 'reads' },
  list_chats: { effect: 'reads' },
  read_chat: { effect: 'reads' },
  create_project: { effect: 'mutates' },
  create_chat: { effect: 'starts_turn' },
  fork_chat: { effect: 'starts_turn' },
  send_message: { effect: 'starts_turn' },
  fork_chat_batch: { effect: 'starts_turn' },
  archive_chat: { effect: 'mutates' },
  unarchive_chat: { effect: 'mutates' },
  list_triggers: { effect: 'reads' },
  set_trigger: { effect: 'mutates' },
  remove_trigger: { effect: 'mutates' },
  run_trigger: { effect: 'starts_turn' },
};
