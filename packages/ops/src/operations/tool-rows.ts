import type { OperationName } from '@svc/records';
import {
  archiveChat,
  createChat,
  listChats,
  readChat,
  sendMessage,
  unarchiveChat,
} from './chats.ts';
import { forkChat, forkChatBatch } from './forks.ts';
import type { OperationRow, ToolFacts } from './operation.ts';
import { createProject, listProjects } from './projects.ts';
import { listTriggers, removeTrigger, runTrigger, setTrigger } from './triggers.ts';

/** An operation that agents and clients have as a tool. */
export type ToolRow = OperationRow & { readonly name: OperationName; readonly tool: ToolFacts };

// By its type it names each of the tools, and nothing else.
const ROWS: { readonly [N in OperationName]: OperationRow<N> } = {
  list_projects: listProjects,
  list_chats: listChats,
  read_chat: readChat,
  create_project: createProject,
  create_chat: createChat,
  fork_chat: forkChat,
  send_message: sendMessage,
  fork_chat_batch: forkChatBatch,
  archive_chat: archiveChat,
  unarchive_chat: unarchiveChat,
  list_triggers: listTriggers,
  set_trigger: setTrigger,
  remove_trigger: removeTrigger,
  run_trigger: runTrigger,
};

/** The operations that are tools, in the order of the catalogue. */
export const TOOL_ROWS: readonly ToolRow[] = Object.freeze(Object.values(ROWS) as ToolRow[]);
