import { success } from '@svc/core';
import type { JsonSchema } from '@svc/schema';
import { count, exactly, id, listOf, text, textOrNull, time } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { attentionFields } from '../triggers/shared.ts';
import { usageSumSchema } from '../usage.schema.ts';
import { nodeSchema, pausedSchema, texts } from './shared.ts';

/** The part of the delivery state that all users should see. */
const alertTroubleSchema: JsonSchema = exactly({
  failing: {
    ...listOf(exactly({ sink: text, error: text })),
    description: 'Sinks or heartbeat that do not work, and why.',
  },
  waiting: { ...count, description: 'Pending alerts.' },
});

const MOST_ATTENTION = 100;

const placeSchema: JsonSchema = {
  $id: 'ServerPlace',
  ...exactly({
    node: { ...text, description: 'Id of the server.' },
    url: { ...textOrNull, description: 'Its address; null if not yet known.' },
    home: { ...textOrNull, description: 'Its home; null if not yet known.' },
    projects: { ...count, description: 'Number of these projects it owns.' },
  }),
};

const goneSchema: JsonSchema = {
  $id: 'GoneServer',
  ...exactly({
    ...{ id: text, host: text, version: text, url: textOrNull, home: textOrNull },
    startedAt: time,
    heartbeatAt: { ...time, description: 'Its last heartbeat.' },
    goneAt: {
      ...time,
      description: 'When it stopped, or was evicted and its projects were taken over.',
    },
    how: {
      enum: ['stopped', 'lost'],
      description: '`stopped`: it shut down; `lost`: it was killed, suspended or disconnected.',
    },
    projects: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Number of projects it owned when others took over; null if unknown.',
    },
  }),
};

export const readStatus = defineOperation({
  name: 'read_status',
  summary: 'Whether all triggers are paused, and the running turns of all projects, longest first.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    $id: 'Status',
    ...exactly({
      version: { ...text, description: 'Version of svc.' },
      paused: { anyOf: [pausedSchema, { type: 'null' }] },
      nodes: {
        ...listOf(nodeSchema),
        description: 'Servers, oldest first.',
      },
      places: {
        ...listOf(placeSchema),
        description:
          'Addresses of servers that share the database, in the same order; empty for a single server.',
      },
      gone: {
        ...listOf(goneSchema),
        description: 'Servers that stopped or were lost in the last day, newest first.',
      },
      differences: {
        ...texts,
        description: 'Settings that differ between servers but must match, one sentence each.',
      },
      answeredBy: { ...text, description: 'Id of the server that answered.' },
      running: listOf(
        exactly({
          turnId: id,
          project: text,
          sessionId: id,
          chat: { ...text, description: 'Name of the chat.' },
          runId: { type: ['string', 'null'], format: 'uuid' },
          trigger: {
            ...textOrNull,
            description: 'Trigger of the run; null for a turn started in a chat.',
          },
          startedAt: time,
          node: { ...textOrNull, description: 'Id of the server that runs it.' },
        }),
      ),
      usageToday: {
        ...usageSumSchema,
        description: 'Usage of these projects today, in the time zone of the host.',
      },
      costPerDay: {
        anyOf: [
          exactly({ spent: { type: 'number', minimum: 0 }, limit: { type: 'number' } }),
          { type: 'null' },
        ],
        description:
          'Cost of all turns today in US dollars, and limits.costPerDayUsd; null without that limit.',
      },
      alerts: alertTroubleSchema,
      timezone: {
        ...exactly({
          name: { ...text, description: 'IANA name.' },
          warning: {
            ...textOrNull,
            description:
              'What is wrong with the configured time zone and how to fix it; null if nothing.',
          },
        }),
        description: 'Time zone of this server for triggers without their own.',
      },
      attention: {
        ...exactly({
          total: { ...count, description: 'Total number.' },
          entries: {
            ...listOf(
              exactly({
                project: text,
                source: { enum: ['trigger', 'schedule', 'file'] },
                name: text,
                ...attentionFields,
              }),
            ),
            maxItems: MOST_ATTENTION,
            description: `The first ${MOST_ATTENTION}, by project and order in its file.`,
          },
        }),
        description: 'Triggers, legacy schedules and files that need attention.',
      },
      limitedWatch: {
        anyOf: [
          exactly({
            reason: { ...text, description: 'Which limit is reached and how to raise it.' },
            projects: {
              ...count,
              description: 'Number of projects that are polled instead of watched.',
            },
            seconds: { ...count, description: 'Maximum time until an edit is detected.' },
          }),
          { type: 'null' },
        ],
        description:
          'System limit that prevents watching some project folders; null if all are watched.',
      },
    }),
  },
  http: {
    method: 'get',
    path: '/status',
    tag: 'service',
    status: 200,
    example: {
      response: {
        version: '1.0.0',
        paused: null,
        nodes: [sample.atlas],
        differences: [],
        places: [
          {
            node: sample.atlas.id,
            url: 'http://127.0.0.1:7420',
            home: '/var/lib/svc',
            projects: 3,
          },
        ],
        gone: [],
        answeredBy: sample.atlas.id,
        alerts: {
          failing: [{ sink: 'ops', error: 'The server responded with status 500.' }],
          waiting: 2,
        },
        usageToday: sample.sum,
        costPerDay: { spent: 1.25, limit: 5 },
        timezone: { name: 'Europe/Berlin', warning: null },
        attention: {
          total: 1,
          entries: [
            {
              project: 'handbook',
              source: 'trigger',
              name: 'nightly-report',
              kind: 'limited',
              reason:
                'Turns have cost 5.01 US dollars today, and limits.costPerDayUsd of this instance is 5; turns that cost start again tomorrow.',
            },
          ],
        },
        limitedWatch: {
          reason:
            'The limit fs.inotify.max_user_watches of this machine is reached. Raise it, for example with sysctl -w fs.inotify.max_user_watches=524288.',
          projects: 1808,
          seconds: 4,
        },
        running: [
          {
            turnId: sample.TURN_ID,
            project: 'handbook',
            sessionId: sample.SESSION_ID,
            chat: 'nightly',
            runId: sample.RUN_ID,
            trigger: 'nightly',
            startedAt: sample.SLOT,
            node: sample.atlas.id,
          },
        ],
      },
    },
  },
  tool: null,
  async run({ nouns, target: { slugs } }) {
    const [attention, paused, nodes, differences, places, gone, ...others] = await Promise.all([
      nouns.projects.attention(slugs),
      nouns.pausing.all(),
      nouns.service.nodes(),
      nouns.service.differences(),
      nouns.service.places(slugs),
      nouns.service.gone(),
      nouns.alerts.trouble(),
      nouns.service.running(slugs),
      nouns.usage.today(slugs),
      nouns.usage.costPerDay(),
    ]);
    const [alerts, running, usageToday, costPerDay] = others;
    const { version, nodeId: answeredBy, timezone, limitedWatch } = nouns.service;
    return success({
      version,
      paused,
      nodes,
      differences,
      places,
      gone,
      answeredBy,
      running,
      usageToday,
      costPerDay,
      alerts,
      timezone,
      attention: { total: attention.length, entries: attention.slice(0, MOST_ATTENTION) },
      limitedWatch,
    });
  },
});
