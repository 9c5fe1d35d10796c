import type { ServiceNode } from '@svc/store';

type ComparedNode = Pick<ServiceNode, 'id' | 'host' | 'traits' | 'isServing'>;

/** Values that must match on all servers but differ, one sentence each. */
export function differencesOf(all: readonly ComparedNode[]): readonly string[] {
  // A command in a terminal affects only itself.
  const nodes = all.filter(({ isServing }) => isServing);
  const names = new Set(nodes.flatMap(({ traits }) => Object.keys(traits)));
  return [...names].sort().flatMap((name) => {
    const values = new Map<string, string[]>();
    for (const node of nodes) {
      const value = node.traits[name];
      // Servers of an earlier version do not report it.
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
