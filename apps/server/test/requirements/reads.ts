import type { Rows } from './rows.ts';

/** Read-only data over REST for pages and programs. */
export const READS: Rows = {
  'reads.projects.health':
    'The list of projects counts failing, invalid, running, missed, unready and armed triggers of each, with the next fire.',
  'reads.triggers.schedule':
    'The list of triggers describes each schedule in words, with its time zone and fires per day.',
  'reads.triggers.recent': 'The list of triggers has the ten newest runs of each.',
  'reads.triggers.etag': 'The list of triggers has the entity tag of each.',
  'reads.triggers.problem':
    'An enabled trigger with an unusable prompt file stays armed, its entry in the list says why each fire will fail, and its project counts it as unready.',
  'reads.upcoming.frequent':
    'Triggers that fire more than 48 times a day are summarized, and hide no other upcoming fire.',
  'reads.validate.edit':
    'Validating a trigger under a name returns project.yaml before and after a PUT, and writes nothing.',
  'reads.repo': 'The address of a repository is shown without passwords and tokens.',
  'reads.prompt-files':
    'The prompt files of a project are listed with their sizes and users, including nested ones.',
  'reads.prompt-files.one':
    'A prompt file is read as by a fire; what a fire would not read is 404.',
  'reads.status': 'The status lists running turns of all projects with their ids and start times.',
  'reads.settings':
    'The effective settings are listed with their sources, the clients of the management endpoint with their scopes, and the runtimes with their readiness.',
  'reads.settings.secrets': 'The settings contain no secret and no value of a variable.',
  'reads.run.turn': 'A run names its turn, as the messages of that turn do.',
  'chats.cancel':
    'Cancelling in a chat ends its running turn, or else the oldest queued one, with its run; without one it is refused.',
  'reads.chat.after':
    'A chat can be read from a message number on, oldest first, but not together with cursor.',
};
