import { ALERT_TYPES } from '@svc/alerts';
import {
  group,
  ownName,
  pause,
  program,
  programArguments,
  referenceMap,
  setting,
  whole,
} from './schema-parts.ts';

const url = { type: 'string', format: 'web-address' } as const;

const secret = {
  ...referenceMap('secret'),
  'x-missing':
    'is missing. Set it to a reference to the variable that contains it, for example { ref: env:NAME }.',
} as const;

const sink = {
  ...group({
    url: setting(url, null, 'Webhook that gets alerts.'),
    secret: setting(secret, null, 'The variable with the secret that signs requests to `url`.'),
    command: setting(program, null, 'Program that gets alerts on stdin.'),
    args: programArguments,
    on: setting(
      { type: 'array', minItems: 1, items: { enum: ALERT_TYPES } },
      null,
      'Alerts to send. Default: all except `digest`.',
    ),
    threshold: setting(whole(1, 1000), 1, 'Number of consecutive failures before the first alert.'),
    cooldown: setting(pause, '0s', 'Minimum time between alerts.'),
  }),
  dependencies: { url: ['secret'] },
  errorMessage: 'must have either url and secret, or command.',
} as const;

const sinks = {
  type: 'object',
  propertyNames: ownName,
  additionalProperties: sink,
  errorMessage: 'must be a map of sinks by name.',
} as const;

const heartbeat = {
  ...group({
    url: { ...url, description: 'Address to request after successful runs.' },
    every: setting(pause, '0s', 'Minimum time between requests.'),
  }),
  required: ['url'],
  errorMessage: 'must be a map with url and optionally every.',
} as const;

/** The settings of alerts. */
export const notifySchema = setting(
  {
    ...group({
      sinks: setting(sinks, {}, 'Where alerts go, by name: `url` and `secret`, or `command`.'),
      heartbeat: setting(heartbeat, null, 'Reports successful runs: `url`, `every`.'),
    }),
    errorMessage: 'must be a map with sinks and heartbeat.',
    'x-takesEmpty': true,
    'x-see': '[Alerts](operating.md#alerts)',
  },
  {},
  'Alerts: `notify.sinks` and `notify.heartbeat`.',
);
