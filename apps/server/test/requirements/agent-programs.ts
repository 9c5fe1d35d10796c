import type { Rows } from './rows.ts';

/** Runtimes that start a program for each turn: a configured command, or the Claude Agent SDK. */
export const AGENT_PROGRAMS: Rows = {
  'external.text':
    'A text command reads instructions and prompt from standard input and answers on standard output; a nonzero exit code or no output is failed.',
  'external.text.limits':
    'A turn of a text command counts as one model call, and its runtime reports that it cannot enforce a tool list.',
  'external.environment':
    'A command has the environment of its turn plus the configured variables, and nothing else.',
  'external.unstartable':
    'A command that cannot be started makes its runtime not ready and fails its turns, with a reason that names the fix.',
  'external.orphans': 'All processes of a command end with its turn, however it ends.',
  'external.acp.stop-reason': 'A turn succeeds only if the agent stops because it finished.',
  'external.acp.rounds': 'Rounds of tool calls count as turns, and their limit is enforced.',
  'external.acp.sessions':
    'A chat continues in the session of its agent, and nothing is sent twice.',
  'external.acp.faults':
    'An agent that dies, floods its output, hangs or speaks no valid protocol ends only its own turn, with a reason.',
  'external.acp.permission':
    'A permission is granted for one call or refused, never for always, based on the tools of the turn and resolved paths; no file or terminal of the service is provided.',
  'external.acp.operations':
    'An agent reaches operations through a loopback listener with a token for one turn, and only those that the turn lists.',
  'claude.unstartable':
    'Without SDK, program or key the runtime is not ready and names the fix; nothing is imported before its first turn.',
  'claude.prompt':
    'The prompt of a turn is text, and no file of a project is read as instructions.',
  'claude.environment':
    'The program has the environment of its turn, and no settings, logins or keys of others.',
  'claude.relay': 'An agent cannot see the key: a relay adds it for one turn and counts the calls.',
  'claude.outcomes': 'The outcome of a turn reflects what happened, whatever the program reports.',
  'claude.cost':
    'The cost of a turn covers only that turn: by list price, by configured prices, or unknown.',
  'claude.sessions':
    'One turn at a time uses a session; a missing or busy session is replaced with a notice.',
  'claude.operations':
    'The operations of a turn are the listed ones; in plan mode only those that read.',
  'claude.children':
    'Child agents have the allow-list of their turn, start nothing and count toward its limit.',
  'claude.fence':
    'The allow-list self-test runs once for each version of the SDK, as soon as it is installed, and names what got through.',
  'claude.orphans': 'However a turn ends, no process of it remains.',
};
