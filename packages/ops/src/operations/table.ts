import type { OperationName } from '@svc/records';
import { type Catalogue, catalogueOf } from './catalogue.ts';
import { listUpcoming, previewSchedule } from './forecasts.ts';
import type { OperationRow, RowName } from './operation.ts';
import { listProjectRecords, readProject } from './projects.ts';
import { listPromptFiles, readPromptFile } from './prompt-files.ts';
import { cancelRun, listRuns, listTriggerRuns, readRun } from './runs.ts';
import { followChanges, readOpenApi } from './service.ts';
import { TOOL_ROWS } from './tool-rows.ts';
import { readTranscript } from './transcripts.ts';
import {
  listTriggerRecords,
  putTrigger,
  readTrigger,
  readTriggerRuntime,
  validateTrigger,
} from './trigger-records.ts';

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
  list_runs: listRuns,
  list_trigger_runs: listTriggerRuns,
  read_run: readRun,
  cancel_run: cancelRun,
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
