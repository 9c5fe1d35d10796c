import type { ServiceNode } from '@svc/store';

type Told = Pick<ServiceNode, 'id' | 'host' | 'traits' | 'isServing'>;

/** In what the processes that fire differ although it has to be the same on all of them: a sentence each. */
export function differencesOf(all: readonly Told[]): readonly string[] {
  // A command that is typed by somebody decides about nothing but itself.
  const nodes = all.filter(({ isServing }) => isServing);
  const names = new Set(nodes.flatMap(({ traits }) => Object.keys(traits)));
  return [...names].sort().flatMap((name) => {
    const values = new Map<string, string[]>();
    for (const node of nodes) {
      const value = node.traits[name];
      // One of an earlier version does not tell.
      if (value === undefined) continue;
      values.set(value, [...(values.get(value) ?? []), nameOf(node, nodes)]);
    }
    if (values.size < 2) return [];
    const parts = [...values].map(([value, where]) => `${value} on ${where.join(', ')}`);
    return [`${name} differs between servers: ${parts.join('; ')}.`];
  });
}

function nameOf(
  { id, host }: Pick<ServiceNode, 'id' | 'host'>,
  nodes: readonly Pick<ServiceNode, 'host'>[],
): string {
  const isOnly = nodes.filter((other) => other.host === host).length === 1;
  if (host === null) return id;
  return isOnly ? host : `${host} (${id})`;
}
