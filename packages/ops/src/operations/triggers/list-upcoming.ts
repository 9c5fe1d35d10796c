import { success } from '@svc/core';
import { plannedFires, upcomingSchema } from '../../queries/upcoming.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';

export const listUpcoming = defineOperation({
  name: 'list_upcoming',
  summary:
    'Upcoming runs, earliest first. Triggers that fire more than 48 times a day are only counted.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      hours: { type: 'integer', minimum: 1, maximum: 168, default: 24 },
    },
  },
  output: upcomingSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/upcoming',
    tag: 'triggers',
    status: 200,
    query: { hours: 'hours' },
    example: {
      response: {
        fires: [{ trigger: 'nightly', at: sample.NEXT }],
        frequent: [{ trigger: 'heartbeat', firesPerDay: 2880 }],
      },
    },
  },
  tool: null,
  async run({ services, target }, { hours = 24 }) {
    const { deps, armedIn, standingsIn, factsOf } = services;
    const [armed, standings] = await Promise.all([armedIn([target]), standingsIn([target])]);
    const { triggers = [] } = standings.get(target.slug) ?? {};
    const { clock } = deps;
    return success(await plannedFires({ clock, armed, factsOf }, triggers, hours));
  },
});
