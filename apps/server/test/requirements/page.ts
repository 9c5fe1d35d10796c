import type { Rows } from './rows.ts';

/** What people can rely on at the page, beyond what the routes below it do. */
export const PAGE: Rows = {
  'page.counts':
    'The service and the page count the same triggers, and the same of them as those that need somebody, each once.',
  'page.reader': 'Whoever may look alone finds every control off that would be refused, and why.',
  'page.unknown':
    'Before it is known who is asking nothing can be changed, and nothing moves once it is.',
  'page.broken-file':
    'Beside a project.yaml that cannot be read stand the last good triggers, which can be run and not written.',
  'page.nowhere': 'An address of something that is not there says so, and leads on.',
  'page.draft':
    'What was typed into a chat outlives a reload and the end of a session, until it is sent.',
  'page.cancel': 'Whatever runs in a chat can be cancelled there and in the header.',
  'page.prompt-file': 'The prompt files of a project are told, chosen and shown in the editor.',
  'page.armed-interval':
    'The editor tells the fires of an armed interval as the service will fire it.',
  'page.first-screen':
    'The first screen at 390 and at 1440 px holds name, reason and next fire of what is broken, and what runs tonight.',
  'page.narrow': 'No view scrolls sideways at 390 px, and what is touched is 44 px high there.',
  'page.widths':
    'From 320 to 1,920 px no view scrolls sideways, cuts off or overlaps a control, squeezes a text below 12 characters a line, or has a row of absurd height.',
  'page.offline':
    'An action that cannot be sent fails at once with a message and never happens later, and the header says that the connection is lost.',
  'page.tabs':
    'All tabs of a browser share one stream of changes, also over plain http; when the tab that holds it is closed, frozen or crashes, another one continues and none misses a change.',
  'page.unknown-zone':
    'A time zone that the browser does not know affects the row of its trigger alone, which shows UTC.',
  'page.switch': 'A switch changes one line of project.yaml.',
  'page.edit': 'Saving from the page changes only the lines that the person changed.',
  'page.conflict':
    'Where somebody else has changed a trigger meanwhile both versions are shown, and nothing is lost.',
  'page.delete': 'Deleting takes one entry out of the file and leaves every other byte.',
  'page.legacy': 'Legacy schedules are shown; nothing on the page changes or runs them.',
  'page.first-run': 'From the first page to a verified run it is a few interactions.',
  'page.inert':
    'What agents say does nothing at the page: no script, no foreign address, no image from outside.',
  'page.sign-in-draft':
    'What was typed survives a session that has ended, and goes through afterwards.',
  'page.keyboard': 'A trigger is made, run, switched on and deleted by keyboard alone.',
  'page.servers':
    'The settings tell which servers share the database, by the time of the one that answers: of each its host, home, address, version, start, last sign of life, projects and turns, which is silent or of another version, and which have gone in the last day.',
  'page.weight': 'A project with 200 triggers stays within its bytes and elements.',
  'page.accessible':
    'No view has an accessibility violation at either width, with dialogs and menus open too.',
  'page.runtime':
    'A runtime is chosen in the editor, with what it holds and which limit of the draft it does not; a default is not written.',
};
