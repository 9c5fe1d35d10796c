import { BUILT_IN_TOOLS, type CatalogTool, MANAGE_PREFIX, type OperationName } from '@svc/records';
import { testAlerts } from './alerts.ts';
import { listChats, readChat } from './chat-reading.ts';
import { archiveChat, createChat, sendMessage, unarchiveChat } from './chats.ts';
import { listEvents } from './events.ts';
import { listUpcoming, previewSchedule } from './forecasts.ts';
import { forkChat, forkChatBatch } from './forks.ts';
import {
  type Catalogue,
  catalogueOf,
  type OperationRow,
  type RowName,
  type ToolFacts,
} from './operation.ts';
import { pauseAll, resumeAll, resumeTrigger } from './pausing.ts';
import { createProject, listProjectRecords, listProjects, readProject } from './projects.ts';
import { listPromptFiles, readPromptFile } from './prompt-files.ts';
import { cancelRun, findRun, listAllRuns, listRuns, listTriggerRuns, readRun } from './runs.ts';
import {
  followChanges,
  listNodes,
  readLogs,
  readOpenApi,
  readSettings,
  readStatus,
} from './service.ts';
import { readTranscript } from './transcripts.ts';
import {
  listTriggerRecords,
  putTrigger,
  readTrigger,
  readTriggerRuntime,
  validateTrigger,
} from './trigger-records.ts';
import { listTriggers, removeTrigger, runTrigger, setTrigger } from './triggers.ts';
import { cancelTurn } from './turns.ts';
import { readUsage } from './usage.ts';
import { listTriggerChanges, whyTrigger } from './why.ts';

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

// By its type it names every operation that is no tool.
const PEOPLES: { readonly [N in Exclude<RowName, OperationName>]: OperationRow<N> } = {
  list_project_records: listProjectRecords,
  read_project: readProject,
  read_transcript: readTranscript,
  list_trigger_records: listTriggerRecords,
  read_trigger: readTrigger,
  read_trigger_runtime: readTriggerRuntime,
  put_trigger: putTrigger,
  validate_trigger: validateTrigger,
  list_prompt_files: listPromptFiles,
  read_prompt_file: readPromptFile,
  list_upcoming: listUpcoming,
  preview_schedule: previewSchedule,
  list_all_runs: listAllRuns,
  find_run: findRun,
  list_runs: listRuns,
  list_trigger_runs: listTriggerRuns,
  why_trigger: whyTrigger,
  list_trigger_changes: listTriggerChanges,
  read_run: readRun,
  cancel_run: cancelRun,
  cancel_turn: cancelTurn,
  list_events: listEvents,
  read_usage: readUsage,
  read_status: readStatus,
  list_nodes: listNodes,
  read_logs: readLogs,
  pause_all: pauseAll,
  resume_all: resumeAll,
  test_alerts: testAlerts,
  resume_trigger: resumeTrigger,
  read_settings: readSettings,
  follow_changes: followChanges,
  read_openapi: readOpenApi,
};

/** Every operation of the service: first those that are tools, in the order of their catalogue. */
export const TABLE: readonly OperationRow[] = Object.freeze([
  ...TOOL_ROWS,
  ...(Object.values(PEOPLES) as OperationRow[]),
]);

/** The policies of the operations that are tools: what a scope can allow. */
export const CATALOGUE: Catalogue = catalogueOf(TOOL_ROWS);

/** Every tool that a trigger may list, in the order in which pages show them. */
export const TOOL_CATALOG: readonly CatalogTool[] = Object.freeze([
  ...BUILT_IN_TOOLS,
  ...TOOL_ROWS.map(
    ({ name, summary, policy }): CatalogTool => ({
      name: `${MANAGE_PREFIX}${name}`,
      group: 'manage',
      description: summary,
      dangerous: policy.effect !== 'reads',
    }),
  ),
]);
