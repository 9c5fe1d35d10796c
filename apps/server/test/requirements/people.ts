import type { Rows } from './rows.ts';

/** People at the page and at the REST interface: who they are, and what their sessions hold. */
export const PEOPLE: Rows = {
  'people.session.beside':
    'Instances on one host have cookies of different names: signing in at one ends no session of another.',
  'people.session.mode': 'The mode that a session is told is the one that the settings tell.',
  'people.kept':
    'No answer but the built page is kept by a browser or taken for another type, whoever asks.',
  'people.curl':
    'What is shown to be asked with curl works in the mode in force, and never holds a token.',
  'people.person':
    'Runs, chats and changes name the person who asked for them, where the sign-in names people, over REST, at the page, in commands and in the log; others and older forms stay as they are.',
  'people.read-only': 'A person who may only read is told that the role is read-only.',
  'people.sign-in.network':
    'Wrong tokens are counted by address, those of IPv6 by the network of 64 bits.',
};
