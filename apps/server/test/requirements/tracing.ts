import type { Rows } from './rows.ts';

/** Traces of fires, dashboard and alert rules. */
export const TRACING: Rows = {
  'traces.off': 'Without a collector address nothing of OpenTelemetry is loaded.',
  'traces.tree':
    'A fire is one trace: claim, start, wait, the turn, its model calls and tools, with its outcome.',
  'traces.id': 'The trace id of a run is its id without hyphens, also across restarts.',
  'traces.chats': 'A turn started in a chat is its own trace.',
  'traces.no-content': 'Traces contain no prompts, answers, tool arguments or results.',
  'traces.settings':
    'Address, headers, sampling and names come from the file or the OpenTelemetry variables; values of headers are never in the file.',
  'traces.harmless':
    'A collector that is down or hangs costs no run anything, a bounded number of spans in memory, and two log lines.',
  'traces.flush': 'Pending spans are sent when the service stops, for at most three seconds.',
  'figures.dashboard': 'The dashboard and the alert rules use only existing metrics.',
  'figures.rules': 'The alert rules are valid, and fire when they should and not otherwise.',
};
