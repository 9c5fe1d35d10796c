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
    'Changes as server-sent events named project, triggers, run, event and chat: what to fetch again. A reset event says that some were missed.',
  policy: { effect: 'reads', target: 'changes', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      project: { type: 'string', minLength: 1, description: 'Slug: only changes of this project.' },
    },
  },
  output: null,
  tool: null,
  run: async ({ nouns, target: { sees } }) =>
    success({
      subscribe: (after, on, passedOver) => {
        if (after === null) passedOver(nouns.changes.lastId);
        return nouns.changes.subscribe(after, (item) => {
          if ('reset' in item || sees(item.project)) on(item);
          else passedOver(item.eventId);
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
    host: { ...text, description: 'Name of its machine.' },
    version: text,
    startedAt: time,
    heartbeatAt: { ...time, description: 'When it was last seen at work.' },
    running: { ...count, description: 'How many turns it runs.' },
  }),
};

const MOST_ATTENTION = 100;

const placeSchema: JsonSchema = {
  $id: 'ServerPlace',
  ...exactly({
    node: { ...text, description: 'Id of the server.' },
    url: { ...textOrNull, description: 'Where it answers; null while it has not told.' },
    home: { ...textOrNull, description: 'Its home; null while it has not told.' },
    projects: { ...count, description: 'How many of these projects it looks after.' },
  }),
};

const goneSchema: JsonSchema = {
  $id: 'GoneServer',
  ...exactly({
    ...{ id: text, host: text, version: text, url: textOrNull, home: textOrNull },
    startedAt: time,
    heartbeatAt: { ...time, description: 'Its last sign of life.' },
    goneAt: {
      ...time,
      description: 'When it left, or others held it for dead and took over what it looked after.',
    },
    how: {
      enum: ['stopped', 'lost'],
      description:
        '`stopped`: it left in order; `lost`: it was killed, stood still or was cut off.',
    },
    projects: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'How many projects it looked after when others took them over; null where that is not known.',
    },
  }),
};

export const readStatus: OperationRow<'read_status'> = defineOperation({
  name: 'read_status',
  summary:
    'Whether everything is paused, and what runs now in all projects, the turn that has run longest first.',
  policy: { effect: 'reads', target: 'enumerates', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    $id: 'Status',
    ...exactly({
      version: { ...text, description: 'Of the program.' },
      paused: { anyOf: [pausedSchema, { type: 'null' }] },
      nodes: {
        ...listOf(nodeSchema),
        description: 'The servers, the one that has been there longest first.',
      },
      places: {
        ...listOf(placeSchema),
        description:
          'Where those are found that share a database, in the same order; none for one that has it for itself.',
      },
      gone: {
        ...listOf(goneSchema),
        description: 'Servers that have gone in the last day, the one that went last first.',
      },
      differences: {
        ...texts,
        description: 'In what they differ that has to be the same on all: a sentence each.',
      },
      answeredBy: { ...text, description: 'Id of the one that answers.' },
      running: listOf(
        exactly({
          turnId: id,
          project: text,
          sessionId: id,
          chat: { ...text, description: 'Name of the chat.' },
          runId: { type: ['string', 'null'], format: 'uuid' },
          trigger: {
            ...textOrNull,
            description: 'Whose run it is; null for what somebody asked for in a chat.',
          },
          startedAt: time,
          node: { ...textOrNull, description: 'Id of the server that runs it.' },
        }),
      ),
      usageToday: {
        ...usageSumSchema,
        description: 'What turns of these projects used today, where the host is.',
      },
      costPerDay: {
        anyOf: [
          exactly({ spent: { type: 'number', minimum: 0 }, limit: { type: 'number' } }),
          { type: 'null' },
        ],
        description:
          'US dollars that all turns have cost today, and limits.costPerDayUsd; null without that limit.',
      },
      alerts: alertTroubleSchema,
      timezone: {
        ...exactly({
          name: { ...text, description: 'IANA name.' },
          warning: {
            ...textOrNull,
            description:
              'What is wrong with the zone that the server was asked to use, and what to do; null where nothing is.',
          },
        }),
        description: 'By which zone the server that answers goes where a trigger names none.',
      },
      attention: {
        ...exactly({
          total: { ...count, description: 'How many there are.' },
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
            description: `The first ${MOST_ATTENTION}, by project, in the order of its file.`,
          },
        }),
        description: 'Triggers, legacy schedules and files that need the attention of a person.',
      },
      limitedWatch: {
        anyOf: [
          exactly({
            reason: { ...text, description: 'Which limit is reached, and how to raise it.' },
            projects: {
              ...count,
              description: 'How many projects are looked at in turn, of all that there are.',
            },
            seconds: { ...count, description: 'After how long an edit of theirs is found.' },
          }),
          { type: 'null' },
        ],
        description:
          'Which limit of the machine keeps project folders from being watched; null while all are.',
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
  summary: 'The servers that share the database, the one that has been there longest first.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { $id: 'ServiceNodes', ...exactly({ nodes: listOf(nodeSchema) }) },
  tool: null,
  run: async ({ nouns }) => success({ nodes: await nouns.service.nodes() }),
});

export const readLogs: OperationRow<'read_logs'> = defineOperation({
  name: 'read_logs',
  summary: 'The newest lines of the log of the process that answers, or those behind a number.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      after: { type: 'integer', minimum: 0, description: '`last` of an earlier answer.' },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    },
  },
  output: {
    $id: 'LogPage',
    ...exactly({
      lines: {
        ...listOf({
          type: 'object',
          description:
            'As it was written: time, level (10 trace to 60 fatal), msg, and its fields.',
        }),
        description: 'The oldest first.',
      },
      last: { ...count, description: 'Goes into `after` for the lines behind these.' },
      dropped: { ...count, description: 'How many lines behind `after` are not kept any more.' },
      node: { ...text, description: 'Id of the process whose log it is.' },
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
    reason: { ...textOrNull, description: 'Why it is not ready, and what would help.' },
    holds: {
      description: 'What it holds, and how far.',
      ...exactly({
        tools: { ...texts, description: 'Tools that it offers.' },
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
      description:
        'What was found when an agent of it tried to break out: none, where nothing is to be tried.',
      ...exactly({ verdict: { enum: ['none', 'untested', 'holds', 'fails'] }, reason: textOrNull }),
    },
  }),
};

export const readSettings: OperationRow<'read_settings'> = defineOperation({
  name: 'read_settings',
  summary:
    'What is in force and from where, who may call /mcp and what for, and which runtimes are ready.',
  policy: { effect: 'reads', target: 'service', gate: null, runsCode: false },
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: {
    $id: 'EffectiveSettings',
    ...exactly({
      settings: {
        type: 'object',
        description: 'By their names in svc.config.yaml.',
        additionalProperties: exactly({
          value: {
            type: ['string', 'number', 'boolean', 'null', 'array'],
            items: text,
            description: 'As the file would have it; never a secret.',
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
