import { daysUpTo, localDay, success } from '@svc/core';
import { NOTHING_USED, usedTogether } from '@svc/store';
import { exactly, listOf, text } from '../../common.schema.ts';
import { sumOf, usageSumSchema, used } from '../../queries/usage.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';

const day = { type: 'string', format: 'date' } as const;

/** Usage of a project in recent days. */
const projectUsageSchema = {
  $id: 'ProjectUsage',
  ...exactly({
    timezone: { ...text, description: 'Time zone of the host, which defines the days.' },
    days: { ...listOf(exactly({ day, ...used })), description: 'Every day, earliest first.' },
    total: usageSumSchema,
    triggers: {
      ...listOf(exactly({ source: { enum: ['trigger', 'schedule'] }, name: text, ...used })),
      description: 'Usage of each trigger in these days, most turns first.',
    },
  }),
} as const;

export const readUsage = defineOperation({
  name: 'read_usage',
  summary:
    'Get turns, tokens and cost of a project by day and by trigger. A turn counts on the day it ended.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project'],
    properties: {
      project: projectAddress,
      days: {
        type: 'integer',
        minimum: 1,
        maximum: 366,
        default: 30,
        description: 'Number of days, including today.',
      },
    },
  },
  output: projectUsageSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/usage',
    tag: 'projects',
    status: 200,
    query: { days: 'days' },
    example: {
      response: {
        timezone: 'Europe/Berlin',
        days: [{ day: '2026-03-02', ...sample.sum }],
        total: sample.sum,
        triggers: [{ source: 'trigger', name: 'nightly', ...sample.sum, chatTurns: 0 }],
      },
    },
  },
  tool: null,
  async run({ services: { deps, zoneNow }, target: { slug } }, { days: count = 30 }) {
    const { usage } = deps.store;
    const days = daysUpTo(localDay(deps.clock.now()), count);
    const since = days[0] ?? '';
    const [known, names] = await Promise.all([usage.byDay(slug, since), usage.byName(slug, since)]);
    const triggers = names.flatMap(({ source, name, ...used }) =>
      source === 'chat' ? [] : [{ source, name, ...sumOf(used) }],
    );
    return success({
      timezone: zoneNow(),
      days: days.map((day) => ({ day, ...sumOf(known.get(day) ?? NOTHING_USED) })),
      total: sumOf([...known.values()].reduce(usedTogether, NOTHING_USED)),
      triggers,
    });
  },
});
