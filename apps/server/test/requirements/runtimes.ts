import type { Rows } from './rows.ts';

/** Guarantees for agents on every runtime, and usage. */
export const RUNTIMES: Rows = {
  'runtimes.doctor':
    'svc doctor lists usable runtimes, what each enforces, and what to do next, and calls no model.',
  'runtimes.init':
    'svc init --runtime writes the settings of a runtime without a key, and names the variable to export; existing triggers do not start to cost.',
  'runtimes.limits.refused':
    'A trigger is refused if its runtime cannot enforce its tool list, its empty list on an event, plan or its spawn depth; the error names the field, the runtime and the fix.',
  'runtimes.limits.fire':
    'Such a trigger in a file never fires: its run is failed with the reason, and its state and the health of its project show that before.',
  'runtimes.unknown':
    'An unknown runtime is refused with a suggestion, and makes an entry of a file invalid.',
  'runtimes.fence':
    'A limited turn waits for the self-test of its runtime, at most a minute, and fails if the self-test fails.',
  'runtimes.model-ready':
    'The readiness of a runtime depends on the requested model: without its key a model is not ready, the playbook is.',
  'runtimes.native.endpoint':
    'A trigger whose model is behind an endpoint can use exactly its listed tools, including operations; its run shows model, tokens and cost.',
  'runtimes.native.faults':
    'A run is failed with a reason if its endpoint refuses, returns an HTML page, nothing, an error or half an answer.',
  'runtimes.external':
    'A command is a runtime: by output and exit code, or by ACP with operations; it is never trusted with a tool list.',
  'runtimes.claude':
    'A trigger on the Claude Agent SDK can use exactly its listed tools; its run shows tokens and cost.',
  'runtimes.no-orphans':
    'After a kill of the server the next one ends every process of its turns, whatever their runtime, and their runs are interrupted.',
  'runtimes.marked':
    'A process left behind without the variable, session and parent of its turn is still ended with the turn.',
  'runtimes.fence.log':
    'After the start a server runs the self-test of its runtimes, and the log has each result.',
  'runtimes.changed':
    'After a change of runtime a resuming trigger continues in a new chat that says so; the old chat keeps its messages and its runtime.',
  'runtimes.sessions':
    'A session kept by a runtime is passed back to it in the same chat, and once for copying in a copy of the chat.',
  'runtimes.history':
    'The history of a chat consists of its ended turns in the order they ran, the newest within a limit of bytes.',
  'runtimes.history.sent':
    'An agent whose session does not know the chat, because it began on another runtime, gets its history.',
  'runtimes.instructions':
    'The chat contains the instructions before a prompt word for word, once until they change.',
  'runtimes.secrets':
    'No transcript, run record or log line contains a configured secret, also escaped, URL-encoded or in base64.',
  'runtimes.secrets.external':
    'Variables given to an external runtime count as secrets, except common ones such as HOME and values under 8 characters.',
  'runtimes.reported-failure':
    'An answer that ends with a line SVC-FAILED and a reason ends its run as failed with that reason, on every runtime; the instructions say so.',
  'tools.bash.plain':
    'Output of Bash contains no terminal commands and only the last version of an overwritten line.',
  'usage.tool-errors': 'A run counts its failed tool calls; null if they were not counted.',
  'usage.sandbox':
    'A run records whether its processes were sandboxed, and the hosts that they reached or were refused; null if unknown, and after a crash.',
  'usage.network-limits':
    'A network record has at most 100 hosts of each kind, and contains no configured secret.',
  'texts.well-formed':
    'No transcript, run record or model request contains U+0000 or half of a surrogate pair, whatever its source contains.',
  'usage.tokens': 'A run shows the tokens of its model calls and its cost, null if unknown.',
  'usage.sums': 'Usage is summed by trigger for today and this month, and by project and day.',
  'usage.metrics':
    'The metrics count tokens in and out, and cost by project with a limit on the number of projects.',
};
