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
};
