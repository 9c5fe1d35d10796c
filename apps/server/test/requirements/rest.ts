import type { Rows } from './rows.ts';

/** Triggers over HTTP. */
export const REST: Rows = {
  'http.host.one': 'A request with several Host headers is 400 before every gate.',
  'http.time-limits': 'The time limits of heads and requests hold within a second.',
  'rest.always': 'The routes of triggers are there whatever the switches of keepers say.',
  'rest.list': 'GET on triggers lists those of a project, of all types.',
  'rest.list.catalogue': 'It also has what there is to pick: grantableTools, events, triggerTypes.',
  'rest.list.events': 'events are onArchive and afterTurn.',
  'rest.list.types': 'triggerTypes are schedule, event and webhook.',
  'rest.get': 'GET on a name answers that trigger.',
  'rest.get.unknown': 'GET on a name that is not declared is 404.',
  'rest.trigger.invalid':
    'GET and run of an entry that is not valid say that it is in the file and everything that is wrong with it, fields that nobody knows too.',
  'rest.put': 'PUT on a name takes trigger, run and enabled, and creates or replaces.',
  'rest.put.absent-enabled': 'PUT without enabled leaves a trigger that is not armed.',
  'rest.put.switch': 'PUT with enabled flipped arms and disarms.',
  'rest.delete': 'DELETE on a name deletes and disarms the trigger.',
  'rest.runtime': 'GET on runtime tells what is armed and when it fires next, and nothing more.',
  'rest.runtime.first': 'runtime is matched before the name of a trigger.',
  'rest.run': 'POST on run fires now, and is 202 with the id of the session.',
  'rest.run.unknown': 'POST on run of an unknown trigger is 404.',
  'rest.run.no-chat': 'POST on run is 502 where the firing started no chat.',
  'rest.browser-auth':
    'The authentication mode of browsers governs the routes, auth.mode none too.',
  'rest.page': 'A tab for triggers on the page uses the routes.',
  'rest.compressed':
    'What is read is compressed for whoever takes gzip, from 1 KiB on, with the same entity tags; nothing else is.',
};
