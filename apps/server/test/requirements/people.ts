import type { Rows } from './rows.ts';

/** Users of the page and the REST interface, and their sessions. */
export const PEOPLE: Rows = {
  'people.session.beside':
    'Instances on one host have cookies with different names: signing in at one ends no session of another.',
  'people.session.mode': 'The session state and the settings report the same mode.',
  'people.kept':
    'Browsers cache only the built page, and no response is interpreted as another type.',
  'people.curl': 'Displayed curl commands work in the effective mode, and never contain a token.',
  'people.person':
    'Runs, chats and changes name the person who requested them, if the sign-in mode identifies people, over REST, on the page, in commands and in the log; earlier forms still work.',
  'people.read-only': 'A person who may only read gets an error that names the read-only role.',
  'people.sign-in.network': 'Wrong tokens are counted by address, for IPv6 by 64-bit network.',
};
