import type { FromSchema } from '@svc/schema';
import { PERMISSION_MODES } from './catalog.ts';

/** JSON Schema of the daily budget of a trigger. */
const budgetSchema = {
  type: 'object',
  description: 'The trigger whose daily budget pays for these turns.',
  additionalProperties: false,
  required: ['project', 'trigger', 'costPerDayUsd'],
  properties: {
    project: { type: 'string' },
    trigger: { type: 'string' },
    /** In US dollars. */
    costPerDayUsd: { type: 'number' },
  },
} as const;

/** JSON Schema of what the scope of a client leaves to the turns that it brought about. */
const clientBoundSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['projects', 'denyProjects', 'maxSpawnDepth'],
  properties: {
    /** Projects that operations reach: patterns as in the scope of a client. */
    projects: { type: 'array', items: { type: 'string' } },
    denyProjects: { type: 'array', items: { type: 'string' } },
    /** null: the client sets none. */
    maxSpawnDepth: { type: ['integer', 'null'], minimum: 0 },
    budget: budgetSchema,
  },
} as const;

/** JSON Schema of what a chat's turns may do. */
export const capabilitySchema = {
  $id: 'Capability',
  type: 'object',
  additionalProperties: false,
  required: ['runsAs', 'agentName', 'tools', 'permissionMode', 'maxTurns', 'maxSpawnDepth'],
  properties: {
    /** `keeper`: the project's own agent; `agent`: an agent with exactly the listed tools. */
    runsAs: { enum: ['agent', 'keeper'] },
    /** Label of a fired agent, `trigger-<slug>-<name>`; null where no trigger is behind it. */
    agentName: { type: ['string', 'null'] },
    /** Exact names of the tools that exist for this turn, without doubles, in catalogue order. */
    tools: { type: 'array', items: { type: 'string' } },
    permissionMode: { enum: PERMISSION_MODES },
    /** Most model calls in one turn. */
    maxTurns: { type: 'integer', minimum: 1 },
    /** A turn at depth d may start turns only if d < maxSpawnDepth. */
    maxSpawnDepth: { type: 'integer', minimum: 0 },
    network: {
      type: 'array',
      description:
        'Hosts that may be connected to, within those of the instance; absent: no further limit.',
      items: { type: 'string' },
    },
    /** All of them hold. */
    bounds: {
      type: 'array',
      description: 'Bounds inherited from clients and budgets; absent if there are none.',
      items: clientBoundSchema,
    },
  },
} as const;

/**
 * What a turn may do, decided once when it is started. Every runtime enforces this object and the banner that people
 * read is made from it.
 */
export type Capability = FromSchema<typeof capabilitySchema>;

/** What the scope of a client, or the budget of a trigger, leaves to the turns that it brought about. */
export type ClientBound = FromSchema<typeof clientBoundSchema>;

/** The daily budget of a trigger. */
export type Budget = FromSchema<typeof budgetSchema>;
