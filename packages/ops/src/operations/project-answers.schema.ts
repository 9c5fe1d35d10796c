import { runSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import {
  count,
  exactly,
  firesPerDay,
  issueSchema,
  listOf,
  text,
  textOrNull,
  time,
  warnings,
} from './common.schema.ts';

export const upcomingSchema: JsonSchema = {
  $id: 'UpcomingFires',
  ...exactly({
    fires: { ...listOf(exactly({ trigger: text, at: time })), maxItems: 1000 },
    frequent: {
      ...listOf(exactly({ trigger: text, firesPerDay })),
      description: 'Armed triggers that fire more than 48 times a day; their fires are left out.',
    },
  }),
};

export const previewSchema: JsonSchema = {
  $id: 'Preview',
  ...exactly({
    upcoming: listOf(time),
    description: { ...text, description: 'The schedule in words.' },
    firesPerDay,
    timezone: { ...textOrNull, description: 'Zone of a cron expression; null for an interval.' },
  }),
};

export const runPageSchema: JsonSchema = {
  $id: 'RunPage',
  ...exactly({
    runs: { ...listOf(runSchema), description: 'Newest first.' },
    next: { ...textOrNull, description: 'Goes into `cursor` for the following page.' },
  }),
};

export const projectSchema: JsonSchema = {
  $id: 'Project',
  ...exactly({
    slug: text,
    name: text,
    summary: textOrNull,
    area: textOrNull,
    status: textOrNull,
    repo: textOrNull,
    triggerCount: count,
    faults: { ...listOf(issueSchema), description: 'What keeps project.yaml from being read.' },
  }),
};

export const createdProjectSchema: JsonSchema = {
  ...projectSchema,
  $id: 'CreatedProject',
  properties: { ...(projectSchema['properties'] as object), warnings },
};
