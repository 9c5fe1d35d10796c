import type { OperationCatalogue, OperationFacts } from '@svc/mgmt-auth';

const facts = (effect: string, runsCode: boolean, ...needs: string[]): OperationFacts => ({
  effect,
  runsCode,
  needs,
});

/** Operations of every kind. */
export const CATALOGUE: OperationCatalogue = {
  list_projects: facts('reads', false),
  list_chats: facts('reads', false),
  read_chat: facts('reads', false),
  create_project: facts('mutates', true),
  create_chat: facts('starts_turn', true),
  fork_chat: facts('starts_turn', true),
  send_message: facts('starts_turn', true),
  fork_chat_batch: facts('starts_turn', true, 'fork_chat'),
  archive_chat: facts('mutates', false),
  unarchive_chat: facts('mutates', false),
  list_triggers: facts('reads', false),
  set_trigger: facts('mutates', true),
  remove_trigger: facts('mutates', false),
  run_trigger: facts('starts_turn', true),
};
