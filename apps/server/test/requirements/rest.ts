import type { Rows } from './rows.ts';

/** Triggers over HTTP. */
export const REST: Rows = {
  'http.host.one': 'A request with several Host headers is 400 before every gate.',
  'http.time-limits': 'The time limits of heads and requests hold within a second.',
  'rest.always': 'The trigger routes exist regardless of the keeper gates.',
  'rest.list': 'GET on triggers lists those of a project, of all types.',
  'rest.list.catalogue': 'It also has the choices grantableTools, events and triggerTypes.',
  'rest.list.events': 'events are onArchive and afterTurn.',
  'rest.list.types': 'triggerTypes are schedule, event and webhook.',
  'rest.get': 'GET on a name returns that trigger.',
  'rest.get.unknown': 'GET on a name that is not declared is 404.',
  'rest.trigger.invalid':
    'GET and run of an invalid entry say that it is in the file and list all errors, including unknown fields.',
  'rest.put': 'PUT on a name takes trigger, run and enabled, and creates or replaces.',
  'rest.put.absent-enabled': 'PUT without enabled stores a trigger that is not armed.',
  'rest.put.switch': 'PUT with enabled flipped arms and disarms.',
  'rest.delete': 'DELETE on a name deletes and disarms the trigger.',
  'rest.runtime': 'GET on runtime returns what is armed and when it fires next, and nothing more.',
  'rest.runtime.first': 'runtime is matched before the name of a trigger.',
  'rest.run': 'POST on run fires now, and is 202 with the id of the session.',
  'rest.run.unknown': 'POST on run of an unknown trigger is 404.',
  'rest.run.no-chat': 'POST on run is 502 if the fire started no chat.',
  'rest.browser-auth':
    'The browser authentication mode applies to the routes, including auth.mode none.',
  'rest.page': 'The Triggers tab of the page uses the routes.',
  'rest.compressed':
    'Responses to reads of 1 KiB or more are compressed for callers that accept gzip, with the same entity tags; others are not.',
};
