import type { Rows } from './rows.ts';

/** What holds for agents whatever runtime runs them, and what is told of their use. */
export const RUNTIMES: Rows = {
  'runtimes.doctor':
    'svc doctor says which runtimes can be used, what each holds, and what to do next, and asks no model.',
  'runtimes.init':
    'svc init --runtime writes the settings of a runtime without any key, and says what to export; nothing that is there begins to cost.',
  'runtimes.limits.refused':
    'A trigger whose runtime cannot hold its list of tools, its empty list on an event, plan or its spawn depth is refused with the field, the runtime and what would be right.',
  'runtimes.limits.fire':
    'Such a trigger in a file never fires: its run is failed with the reason, and its state and the health of its project say so before.',
  'runtimes.unknown':
    'An unknown runtime is refused with a guess at what was meant, and makes an entry of a file invalid.',
  'runtimes.fence':
    'A limited turn waits until the fence of its runtime is known to hold, a minute at most, and is failed where it does not.',
  'runtimes.model-ready':
    'Whether a runtime can start a turn is judged for the model that the turn asks for: without its key a model is not ready, the playbook is.',
  'runtimes.native.endpoint':
    'A trigger whose model is behind an endpoint works with the tools that it lists and no other, operations among them; its run tells model, tokens and cost.',
  'runtimes.native.faults':
    'A run whose endpoint refuses, sends a page, nothing, an error or half an answer is failed, with the reason.',
  'runtimes.external':
    'A command is a runtime: by its output and exit code, or by ACP with operations; it is never trusted with a list of tools.',
  'runtimes.claude':
    'A trigger on the Claude Agent SDK works with the tools that it lists and no other; its run tells tokens and cost.',
  'runtimes.no-orphans':
    'After a killed server the next one ends every process of its turns, whatever runtime they ran on, and their runs are interrupted.',
  'runtimes.marked':
    'A process that a turn leaves behind without its variable, its session and its parent is ended with the turn all the same.',
  'runtimes.fence.log':
    'A server that has begun to listen tries the fences of its runtimes, and the log says of each whether it holds.',
  'runtimes.changed':
    'A resuming trigger whose runtime was changed goes on in a fresh chat that says so; the old chat keeps its messages and its runtime.',
  'runtimes.sessions':
    'A session that a runtime keeps is given back to it in the same chat, and once as one to copy in a copy of the chat.',
  'runtimes.history':
    'The history of a chat is its ended turns in the order in which they ran, the newest of them within a bound of bytes.',
  'runtimes.history.told':
    'An agent whose session does not know a chat, as the chat began on another runtime, is told what was said in it.',
  'runtimes.instructions':
    'What a turn is told before its prompt stands in its chat word for word, once until it changes.',
  'runtimes.secrets':
    'A configured secret stands in no transcript, no record of a run and no line of the log, also escaped, URL-encoded or in base64.',
  'runtimes.secrets.external':
    'Variables that an external runtime is given count as secrets, but for common ones such as HOME and for values under 8 characters.',
  'runtimes.reported-failure':
    'An answer whose last line is SVC-FAILED with a reason ends its run as failed with that reason, on every runtime; the instructions say so.',
  'tools.bash.plain':
    'Output of Bash holds no commands to a terminal and only the last version of an overwritten line.',
  'usage.tool-errors':
    'A run tells how many of its tool calls failed, null where that was not counted.',
  'texts.well-formed':
    'No transcript, record of a run or request to a model holds U+0000 or half of a surrogate pair, whatever a model, agent, tool or older database contains.',
  'usage.tokens': 'A run tells the tokens of its model calls and its cost, null where unknown.',
  'usage.sums':
    'What turns used is summed up by trigger for today and this month, and by project and day.',
  'usage.metrics':
    'The figures count tokens in and out, and cost by project with a bound on their number.',
};
