export { attentionLines } from './attention-lines.ts';
export { type Cli, type CliParts, createCli } from './cli.ts';
export type { Command, Completion } from './command.ts';
export { COMMANDS, FILE_COMMANDS } from './commands.ts';
export type {
  CommandContext,
  CommandLine,
  Environment,
  HomeProjects,
  HomeService,
  Limits,
  ManagementAccess,
  OpenHome,
  Server,
  StopRequests,
} from './context.ts';
export { type Address, createPeerFetch, type Fetch, fetchFrom, type Peer } from './peer.ts';
export { asksForJson, printResult } from './print-result.ts';
export { findProjectFiles, readProject } from './project-files.ts';
export { accessRunningServer } from './service.ts';
export { problemLines, zoneLine } from './status-lines.ts';
export { oneLine } from './table.ts';
export {
  CommandError,
  type ExitCode,
  plainLine,
  plainTerminal,
  type RawTerminal,
  type Terminal,
  UsageError,
} from './terminal.ts';
export { wholeNumber } from './whole-number.ts';
