import type { Rows } from './rows.ts';

/** The page. */
export const PAGE: Rows = {
  'page.counts':
    'The service and the page count the same triggers and the same ones that need attention, each once.',
  'page.reader':
    'For a read-only user every control that would be refused is disabled, with the reason.',
  'page.unknown':
    'Until the caller is known nothing can be changed, and the layout does not move afterwards.',
  'page.broken-file':
    'A project.yaml that cannot be read is shown with the last good triggers, which can be run but not edited.',
  'page.nowhere': 'An unknown address shows a not-found view with links.',
  'page.draft':
    'Text typed into a chat survives a reload and the end of a session, until it is sent.',
  'page.cancel': 'A running turn can be cancelled in its chat and in the header.',
  'page.prompt-file': 'The editor lists, selects and shows the prompt files of a project.',
  'page.armed-interval':
    'The editor shows the next fires of an armed interval as the service will fire them.',
  'page.first-screen':
    'The first screen at 390 and 1440 px shows name, reason and next fire of triggers that need attention, and what runs tonight.',
  'page.narrow': 'No view scrolls sideways at 390 px, and touch targets are 44 px high there.',
  'page.widths':
    'From 320 to 1,920 px no view scrolls sideways, cuts off or overlaps a control, squeezes text below 12 characters a line, or has an excessively tall row.',
  'page.offline':
    'An action that cannot be sent fails at once with a message and never happens later, and the header says that the connection is lost.',
  'page.tabs':
    'All tabs of a browser share one stream of changes, also over plain http; when the tab that holds it is closed, frozen or crashes, another one continues and none misses a change.',
  'page.unknown-zone':
    'A time zone unknown to the browser affects only the row of its trigger, which shows UTC.',
  'page.switch': 'A switch changes one line of project.yaml.',
  'page.edit': 'Saving from the page changes only the lines that the person changed.',
  'page.conflict':
    'If a trigger was changed in the meantime, both versions are shown, and nothing is lost.',
  'page.delete': 'Deleting removes one entry from the file and keeps every other byte.',
  'page.legacy': 'Legacy schedules are shown; nothing on the page changes or runs them.',
  'page.first-run': 'A first verified run takes only a few interactions.',
  'page.inert':
    'Output of agents is inert on the page: no script, no external address, no external image.',
  'page.sign-in-draft':
    'Typed text survives an expired session, and can be submitted after sign-in.',
  'page.keyboard': 'A trigger can be created, run, enabled and deleted by keyboard alone.',
  'page.servers':
    'The settings list the servers that share the database, by the time of the answering one: host, home, address, version, start, last heartbeat, projects and turns, silent or differing ones, and those that went in the last day.',
  'page.weight':
    'The page of a project with 200 triggers stays within its limits of bytes and elements.',
  'page.accessible':
    'No view has an accessibility violation at either width, including open dialogs and menus.',
  'page.runtime':
    'The editor selects a runtime and shows what it enforces and which limit of the draft it cannot enforce; a default is not written.',
};
