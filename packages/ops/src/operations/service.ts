import { success } from '@svc/core';
import { PERMISSION_MODES } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { alertsSchema, alertTroubleSchema } from './alerts.ts';
import { count, exactly, flag, id, listOf, text, textOrNull, time } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { pausedSchema } from './pausing.ts';
import { attentionFields } from './trigger-answers.schema.ts';
import { usageSumSchema } from './usage.schema.ts';

export const followChanges: OperationRow<'follow_changes'> = defineOperation({
  name: 'follow_changes',
  summary:
    'Stream changes as server-sent events named project, triggers, run, event and chat. Each names what to fetch again; reset means that events were missed.',
  policy: { effect: 'reads', target: 'changes', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      project: {
        type: 'string',
        minLength: 1,
        description: 'Only changes of the project with this slug.',
      },
    },
  },
  output: null,
  tool: null,
  run: async ({ nouns, target: { sees } }) =>
    success({
      subscribe: (after, on, skipped) => {
        if (after === null) skipped(nouns.changes.lastId);
        return nouns.changes.subscribe(after, (item) => {
          if ('reset' in item || sees(item.project)) on(item);
          else skipped(item.eventId);
        });
      },
    }),
});

export const readOpenApi: OperationRow<'read_openapi'> = defineOperation({
  name: 'read_openapi',
  summary: 'This document.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: null,
  tool: null,
  run: async () => success(null),
});

const texts = listOf(text);

const nodeSchema: JsonSchema = {
  $id: 'ServiceNode',
  ...exactly({
    id: text,
    host: { ...text, description: 'Host name.' },
    version: text,
    startedAt: time,
    heartbeatAt: { ...time, description: 'Time of its last heartbeat.' },
    running: { ...count, description: 'Number of running turns.' },
  }),
};

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

export const readStatus: OperationRow<'read_status'> = defineOperation({
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

export const listNodes: OperationRow<'list_nodes'> = defineOperation({
  name: 'list_nodes',
  summary: 'List the servers that share the database, oldest first.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ServiceNodes', ...exactly({ nodes: listOf(nodeSchema) }) },
  tool: null,
  run: async ({ nouns }) => success({ nodes: await nouns.service.nodes() }),
});

export const readLogs: OperationRow<'read_logs'> = defineOperation({
  name: 'read_logs',
  summary: 'Get the newest log lines of the answering process, or those after a given line number.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      after: { type: 'integer', minimum: 0, description: '`last` of an earlier response.' },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    },
  },
  output: {
    $id: 'LogPage',
    ...exactly({
      lines: {
        ...listOf({
          type: 'object',
          description: 'The logged line: time, level (10 trace to 60 fatal), msg and fields.',
        }),
        description: 'Oldest first.',
      },
      last: { ...count, description: 'Pass as `after` to get later lines.' },
      dropped: { ...count, description: 'Number of lines after `after` that are no longer kept.' },
      node: { ...text, description: 'Id of the process that logged them.' },
    }),
  },
  tool: null,
  run: async ({ nouns }, { after, limit }) =>
    success({ ...nouns.service.logs(after ?? null, limit ?? 100), node: nouns.service.nodeId }),
});

const scopeSchema: JsonSchema = exactly({
  projects: texts,
  allow: texts,
  deny: texts,
  denyProjects: texts,
  maxSpawnDepth: { ...count, type: ['integer', 'null'] },
});

const runtimeSchema: JsonSchema = {
  $id: 'RuntimeReadiness',
  ...exactly({
    id: text,
    isDefault: flag,
    ready: flag,
    reason: { ...textOrNull, description: 'Why it is not ready, and how to fix it.' },
    holds: {
      description: 'Which limits it enforces, and how.',
      ...exactly({
        tools: { ...texts, description: 'Its tools.' },
        toolAllowList: { enum: ['enforced', 'asked', 'none'] },
        maxTurns: { enum: ['exact', 'approximate', 'none'] },
        permissionModes: listOf({ enum: PERMISSION_MODES }),
        resume: flag,
        fork: flag,
        svcManage: { enum: ['in-process', 'http', 'none'] },
        cost: { enum: ['estimate', 'tokens', 'none'] },
      }),
    },
    fence: {
      description: 'Result of the sandbox self-test; none if there is no self-test.',
      ...exactly({ verdict: { enum: ['none', 'untested', 'holds', 'fails'] }, reason: textOrNull }),
    },
  }),
};

export const readSettings: OperationRow<'read_settings'> = defineOperation({
  name: 'read_settings',
  summary:
    'Get the effective settings and their sources, the clients of /mcp and their scopes, and the state of runtimes.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    $id: 'EffectiveSettings',
    ...exactly({
      settings: {
        type: 'object',
        description: 'By name in svc.config.yaml.',
        additionalProperties: exactly({
          value: {
            type: ['string', 'number', 'boolean', 'null', 'array'],
            items: text,
            description: 'As written in the file; never a secret.',
          },
          source: { enum: ['default', 'file', 'environment', 'flag'] },
        }),
      },
      clients: listOf(exactly({ clientId: text, scope: scopeSchema })),
      runtimes: listOf(runtimeSchema),
      alerts: alertsSchema,
    }),
  },
  tool: null,
  run: async ({ nouns }) => success(await nouns.service.settings()),
});
