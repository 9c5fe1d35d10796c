import { PERMISSION_MODES, PROJECT_STATUSES } from '@svc/records';
import type { FromSchema } from '@svc/schema';
import { costPerDaySchema } from './cost-per-day.schema.ts';
import { runFields } from './trigger-fields.schema.ts';

/** JSON Schema (draft 2020-12) of the keys of `project.yaml` beside its triggers. */
export const projectSettingsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'hooksMcpEnabled', 'keeper'],
  properties: {
    name: { type: 'string', description: 'Display name.' },
    summary: { type: 'string' },
    area: { type: 'string' },
    status: { enum: PROJECT_STATUSES },
    repo: { type: 'string', description: 'Address of the source repository.' },
    hooksMcpEnabled: { type: 'boolean', description: 'Enables the trigger tools of the keeper.' },
    agentTriggersStartDisabled: {
      type: 'boolean',
      description: 'Requires a person or a client to enable triggers that turns of agents create.',
    },
    maxSpawnDepth: { type: 'integer', minimum: 0, maximum: 8 },
    costPerDayUsd: {
      ...costPerDaySchema,
      description:
        'Maximum cost of all turns of the project per day in the time zone of the host, in US dollars.',
    },
    network: {
      ...runFields.network.schema,
      description:
        'Hosts that its turns may connect to, such as `api.github.com`, `*.example.org:443` or `*`; empty: none. Default: those of the instance.',
    },
    keeper: {
      type: 'object',
      additionalProperties: false,
      properties: {
        runtime: { type: 'string' },
        model: { type: 'string' },
        permissionMode: { enum: PERMISSION_MODES },
        instructions: { type: 'string' },
      },
    },
  },
} as const;

/** Settings of a project. Defaults: `status: active`, `hooksMcpEnabled: false`, an empty `keeper`. */
export type ProjectSettings = FromSchema<typeof projectSettingsSchema>;
