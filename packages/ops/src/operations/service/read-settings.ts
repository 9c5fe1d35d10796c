import { success } from '@svc/core';
import { PERMISSION_MODES } from '@svc/records';
import { alertsSchema } from '../../alerting.ts';
import { count, exactly, flag, listOf, text, textOrNull, texts } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { alertStanding } from './shared.ts';

const scopeSchema = exactly({
  projects: texts,
  allow: texts,
  deny: texts,
  denyProjects: texts,
  maxSpawnDepth: { ...count, type: ['integer', 'null'] },
});

const readinessSchema = {
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
        network: {
          enum: ['all', 'except-bash', 'none'],
          description: 'Which tools a list of hosts limits.',
        },
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
} as const;

export const readSettings = defineOperation({
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
      runtimes: listOf(readinessSchema),
      alerts: alertsSchema,
    }),
  },
  http: {
    method: 'get',
    path: '/settings',
    tag: 'service',
    status: 200,
    example: {
      response: {
        settings: { 'limits.turnTimeout': { value: '60m', source: 'default' } },
        clients: [
          {
            clientId: 'ci',
            scope: {
              projects: ['handbook'],
              allow: ['list_*', 'run_trigger'],
              deny: [],
              denyProjects: [],
              maxSpawnDepth: null,
            },
          },
        ],
        runtimes: [
          {
            id: 'native',
            isDefault: true,
            ready: true,
            reason: null,
            holds: {
              tools: ['Read', 'Edit', 'Bash'],
              toolAllowList: 'enforced',
              maxTurns: 'exact',
              network: 'all',
              permissionModes: ['default', 'acceptEdits', 'bypassPermissions', 'plan'],
              resume: true,
              fork: true,
              svcManage: 'in-process',
              cost: 'none',
            },
            fence: { verdict: 'none', reason: null },
          },
        ],
        alerts: {
          sinks: [
            {
              id: 'ops',
              kind: 'webhook',
              to: 'https://hooks.example/…',
              on: ['failed', 'missed', 'paused', 'recovered'],
              threshold: 1,
              cooldown: '1h',
              problem: null,
              lastTry: {
                at: sample.SLOT,
                ok: false,
                error: 'The server responded with status 500.',
              },
              waiting: 2,
              givenUp: 0,
            },
          ],
          heartbeat: {
            to: 'https://watcher.example/…',
            every: '5m',
            lastTry: { at: sample.SLOT, ok: true, error: null },
          },
        },
      },
    },
  },
  tool: null,
  async run({ services: { deps, settings: own, selfTests } }) {
    const { settings, clients } = deps.effectiveSettings?.() ?? { settings: {}, clients: [] };
    const runtimes = await Promise.all(
      [...deps.runtimes.values()].map(async (runtime) => {
        const probe = await runtime.probe();
        return {
          id: runtime.id,
          isDefault: runtime.id === own.defaultRuntime,
          ready: probe.ready,
          reason: probe.ready ? null : probe.reason,
          holds: { ...runtime.holds, network: runtime.holds.network ?? 'none' },
          fence: selfTests.stateOf(runtime),
        };
      }),
    );
    return success({ settings, clients, runtimes, alerts: await alertStanding(deps) });
  },
});
