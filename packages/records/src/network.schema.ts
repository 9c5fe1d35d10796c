import type { FromSchema } from '@svc/schema';

/** Maximum number of entries of each list of a network record. */
export const MOST_NETWORK_ENTRIES = 100;

const address = {
  host: { type: 'string', description: 'Name or address, without brackets.' },
  port: { type: 'integer', minimum: 1, maximum: 65_535 },
  count: { type: 'integer', minimum: 1, description: 'Number of connections.' },
} as const;

/** JSON Schema of the connections of the sandboxed processes of a turn, by host and port. */
export const runNetworkSchema = {
  $id: 'RunNetwork',
  type: 'object',
  description: 'Connections of the sandboxed processes of a turn, by host and port.',
  additionalProperties: false,
  required: ['reached', 'refused'],
  properties: {
    reached: {
      type: 'array',
      maxItems: MOST_NETWORK_ENTRIES,
      description: 'Connections that were made.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['host', 'port', 'count'],
        properties: {
          ...address,
          sent: { type: 'integer', minimum: 0, description: 'Bytes sent.' },
          received: { type: 'integer', minimum: 0, description: 'Bytes received.' },
        },
      },
    },
    refused: {
      type: 'array',
      maxItems: MOST_NETWORK_ENTRIES,
      description: 'Connections that svc refused.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['host', 'port', 'count', 'reason'],
        properties: {
          ...address,
          reason: { type: 'string', description: 'Why, in one sentence.' },
        },
      },
    },
    more: {
      type: 'object',
      description: 'Connections to hosts that are not listed; absent if all are listed.',
      additionalProperties: false,
      required: ['reached', 'refused'],
      properties: {
        reached: { type: 'integer', minimum: 0 },
        refused: { type: 'integer', minimum: 0 },
      },
    },
  },
} as const;

/** The connections of the sandboxed processes of a turn, at most 100 hosts and ports of each kind. */
export type RunNetwork = FromSchema<typeof runNetworkSchema>;

/** A host and port that were reached, with the number of connections. */
export type ReachedHost = RunNetwork['reached'][number];

/** A host and port to which connections were refused, with their number and the reason in one sentence. */
export type RefusedHost = RunNetwork['refused'][number];

/** Total numbers of connections in a network record; null if there is no record. */
export function connectionCounts(
  network: RunNetwork | null | undefined,
): { readonly reached: number; readonly refused: number } | null {
  if (network == null) return null;
  const sum = (entries: readonly { readonly count: number }[], more = 0): number =>
    entries.reduce((total, { count }) => total + count, more);
  const { reached, refused, more } = network;
  return { reached: sum(reached, more?.reached), refused: sum(refused, more?.refused) };
}
