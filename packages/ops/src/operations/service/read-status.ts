import { localDay, success } from '@svc/core';
import { createDailyCost, differencesOf, hostZone } from '@svc/engine';
import type { Slug } from '@svc/records';
import { type AlertStanding, type AlertTrouble, alertTroubleSchema } from '../../alerting.ts';
import {
  count,
  exactly,
  flag,
  id,
  listOf,
  text,
  textOrNull,
  texts,
  time,
} from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import { attentionItemSchema } from '../../queries/attention.ts';
import { sumOf, usageSumSchema } from '../../queries/usage.ts';
import type { Services } from '../../services.ts';
import { defineOperation } from '../operation.ts';
import { attentionIn } from '../projects/shared.ts';
import { sample } from '../samples.ts';
import { alertStanding, nodeSchema, pausedSchema, serversOf } from './shared.ts';

const MOST_ATTENTION = 100;

const placeSchema = {
  $id: 'ServerPlace',
  ...exactly({
    node: { ...text, description: 'Id of the server.' },
    url: { ...textOrNull, description: 'Its address; null if not yet known.' },
    home: { ...textOrNull, description: 'Its home; null if not yet known.' },
    projects: { ...count, description: 'Number of these projects it owns.' },
  }),
} as const;

const goneSchema = {
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
} as const;

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
            ...listOf(attentionItemSchema),
            maxItems: MOST_ATTENTION,
            description: `The first ${MOST_ATTENTION}, by project and order in its file.`,
          },
        }),
        description: 'Triggers, legacy schedules and files that need attention.',
      },
      sandboxLack: {
        anyOf: [
          exactly({
            reason: { ...text, description: 'What is missing and how to add it.' },
            intended: { ...flag, description: 'Whether the settings ask for it.' },
            required: {
              ...flag,
              description:
                'Whether turns that need a sandbox fail: `agents.sandbox.mode` is `required`, but no sandbox is available.',
            },
          }),
          { type: 'null' },
        ],
        description:
          'Why agents run without a sandbox, cannot start in a required one, or run in one whose network is not limited; null if they are sandboxed.',
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
                'Daily cost limit of this instance reached: 5.01 US dollars today (limits.costPerDayUsd: 5). Turns that cost money start again tomorrow.',
            },
          ],
        },
        sandboxLack: {
          reason:
            'The program bwrap was not found. Install the package bubblewrap, for example with apt-get install bubblewrap.',
          intended: false,
          required: false,
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
  async run({ services, target: { slugs } }) {
    const { deps, settings, pauses, members } = services;
    const { store } = deps;
    const [attention, paused, nodes, listed, places, gone, alerts, running, ...use] =
      await Promise.all([
        attentionIn(services, slugs),
        pauses.all(),
        serversOf(deps),
        store.nodes.list(),
        members.isShared ? placesOf(services, slugs) : [],
        members.isShared ? goneServers(deps) : [],
        alertStanding(deps),
        store.turns.runningIn(slugs),
        store.usage.on(slugs, localDay(deps.clock.now())),
        createDailyCost(deps, settings).today(),
      ]);
    const [used, costPerDay] = use;
    return success({
      version: deps.version ?? '0',
      paused,
      nodes,
      differences: differencesOf(listed),
      places,
      gone,
      answeredBy: store.nodeId,
      running,
      usageToday: sumOf(used),
      costPerDay,
      alerts: troubleOf(alerts),
      timezone: { name: hostZone(), warning: deps.zoneHost?.warning?.() ?? null },
      attention: { total: attention.length, entries: attention.slice(0, MOST_ATTENTION) },
      sandboxLack: deps.sandboxLack ?? null,
      limitedWatch: deps.projects.limitedWatch,
    });
  },
});

function troubleOf({ sinks, heartbeat }: AlertStanding): AlertTrouble {
  const failing = sinks.flatMap(({ id, problem, lastTry }) => {
    const error = problem ?? lastTry?.error ?? null;
    return error === null ? [] : [{ sink: id, error }];
  });
  const beat = heartbeat?.lastTry?.error ?? null;
  return {
    failing: beat === null ? failing : [...failing, { sink: 'heartbeat', error: beat }],
    waiting: sinks.reduce((total, { waiting }) => total + waiting, 0),
  };
}

/** Addresses of the live servers, and how many of these projects each owns. */
async function placesOf(
  { deps: { store }, members }: Pick<Services, 'deps' | 'members'>,
  projects: readonly Slug[],
) {
  const [places, nodes] = await Promise.all([store.nodes.places(), store.nodes.list()]);
  const owned = new Map<string | null, number>();
  for (const project of projects) {
    const owner = members.holder(project);
    owned.set(owner, (owned.get(owner) ?? 0) + 1);
  }
  return nodes.map(({ id }) => ({
    ...{ node: id, url: places.get(id)?.url ?? null, home: places.get(id)?.home ?? null },
    projects: owned.get(id) ?? 0,
  }));
}

const DAY_MS = 86_400_000;

/** Servers that stopped or were lost in the last day, most recent first. */
async function goneServers({ clock, host: ownHost, store }: OpsDeps) {
  const gone = await store.nodes.gone(clock.now() - DAY_MS);
  const isBack = await backIn(store);
  // A server that was stopped and started again is not reported.
  const reported = gone.filter(({ isLost, host, home }) => isLost || !isBack(host, home));
  return reported.map(({ host, isLost, ...node }) => ({
    ...node,
    host: host ?? ownHost ?? 'localhost',
    how: isLost ? ('lost' as const) : ('stopped' as const),
  }));
}

/** Whether the server of a home is live again. */
async function backIn({
  nodes,
}: Pick<OpsDeps['store'], 'nodes'>): Promise<
  (host: string | null, home: string | null) => boolean
> {
  const [places, list] = await Promise.all([nodes.places(), nodes.list()]);
  const there = new Set(list.map(({ id, host }) => JSON.stringify([host, places.get(id)?.home])));
  return (host, home) => home !== null && there.has(JSON.stringify([host, home]));
}
