import type { Rows } from './rows.ts';

/** What is told of fires to those who follow them from outside. */
export const TRACING: Rows = {
  'traces.off': 'Without an address of a collector nothing of OpenTelemetry is loaded.',
  'traces.tree':
    'A fire is one trace: claim, start, wait, the turn, its model calls and its tools, with how it ended.',
  'traces.id': 'The trace of a run is its id without hyphens, also over restarts.',
  'traces.chats': 'A turn that somebody asks for in a chat is a trace of its own.',
  'traces.no-content':
    'What is said in a turn, and what tools are given and answer, is in no trace.',
  'traces.settings':
    'Address, headers, part and names come from the file or the variables of OpenTelemetry; values of headers never stand in the file.',
  'traces.harmless':
    'A collector that is away or hangs costs no run anything, a bounded number of spans in memory, and two lines of the log.',
  'traces.flush': 'What waits is sent when the service stops, for three seconds at most.',
  'figures.dashboard': 'The dashboard and the alert rules ask only for figures that there are.',
  'figures.rules': 'The alert rules are sound, and fire when they should and not else.',
};
