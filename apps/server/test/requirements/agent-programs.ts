import type { Rows } from './rows.ts';

/** Runtimes that start a program for each turn: a configured command, and that of the Claude Agent SDK. */
export const AGENT_PROGRAMS: Rows = {
  'external.text':
    'A text command reads instructions and prompt as its whole input and answers with its output; another exit code than 0, or no output, is failed.',
  'external.text.limits':
    'A turn of a text command is one model call, and its runtime says that it holds no list of tools.',
  'external.environment':
    'A command has the environment of its turn with the variables that are configured, and nothing else.',
  'external.unstartable':
    'A command that cannot be started makes its runtime not ready and fails its turns, and the reason says what would be right.',
  'external.orphans': 'Whatever a command has started is ended with its turn, however that ends.',
  'external.acp.stop-reason':
    'An agent that stops for another reason than the end of its turn has not succeeded.',
  'external.acp.rounds': 'Rounds of tool calls are turns, and their limit holds.',
  'external.acp.sessions':
    'A chat goes on in the session of its agent, which is told nothing twice.',
  'external.acp.faults':
    'An agent that dies, floods, stays, never answers or speaks no protocol ends its own turn alone, with a reason.',
  'external.acp.permission':
    'A permission is given for one call or refused, never for always, by what the turn lists and where paths lead; no file and no terminal of the service is given.',
  'external.acp.operations':
    'Operations reach an agent on a listener of loopback, with a token for one turn, and only those that the turn lists.',
  'claude.unstartable':
    'Without SDK, program or key the runtime is not ready and says what to do; nothing is imported before its first turn.',
  'claude.prompt':
    'The prompt of a turn is text, and nothing of a project is read as instructions unasked.',
  'claude.environment':
    'The program has the environment of its turn, and no settings, logins or keys of anybody else.',
  'claude.relay':
    'The key is nowhere in what an agent can see: a relay for one turn adds it, and counts the calls.',
  'claude.outcomes': 'The outcome of a turn is what has happened, whatever the program calls it.',
  'claude.cost':
    'The cost of a turn is that of this turn alone: by the list price, by prices that are given, or unknown.',
  'claude.sessions':
    'One turn at a time works in a session; one that is gone or in use is replaced in words.',
  'claude.operations': 'Operations are the tools that are listed, and only read under plan.',
  'claude.children':
    'Child agents have the fence of their turn, start nothing and count in its limit.',
  'claude.fence':
    'The fence is tried once for a version of the SDK, as soon as it is there; what got through is named.',
  'claude.orphans': 'However a turn ends, nothing that it has started is left.',
};
