import type { Rows } from './rows.ts';

/** What a page can read over HTTP to show what is going on, beside the triggers themselves. */
export const READS: Rows = {
  'reads.projects.health':
    'The list of projects says of each how many triggers fail, are invalid, run, missed, are unready and are armed, and its next fire.',
  'reads.triggers.schedule':
    'The list of triggers tells each schedule in words, with its zone and its fires per day.',
  'reads.triggers.recent': 'The list of triggers has the ten newest runs of each.',
  'reads.triggers.etag': 'The list of triggers has the entity tag of each.',
  'reads.triggers.problem':
    'A trigger that is switched on and cannot use its prompt file stays armed, its entry in the list says why each fire will fail, and its project counts it as unready.',
  'reads.upcoming.frequent':
    'What fires more than 48 times a day is summed up, and hides no other fire to come.',
  'reads.validate.edit':
    'A check of a trigger under a name shows the bytes of project.yaml before and after, as a PUT would write them, and writes nothing.',
  'reads.repo': 'The address of a repository is told without passwords and tokens.',
  'reads.prompt-files':
    'The prompt files of a project are listed with their sizes and with what runs them, nested ones too.',
  'reads.prompt-files.one':
    'A prompt file is read by the rules of a fire, and what a fire would not read is 404.',
  'reads.status': 'What runs now in all projects is told with its ids, and since when.',
  'reads.settings':
    'The settings in force are told with where each comes from, the clients of the management endpoint with their scopes, and the runtimes with whether they are ready.',
  'reads.settings.secrets': 'No secret, and no value of a variable, is told with the settings.',
  'reads.run.turn': 'A run names its turn, as the messages of that turn do.',
  'chats.cancel':
    'Cancelling in a chat ends the turn that runs there, else the one that has waited longest, with the run that it is of; where there is none it is refused.',
  'reads.chat.after':
    'A chat is read on from the number of a message, oldest first, but not together with cursor.',
};
