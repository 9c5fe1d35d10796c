import type { Slug } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import type { GoneServer, ServerPlace } from '../results.ts';
import type { ServiceWork } from '../work.ts';
import type { Members } from './members.ts';

const DAY_MS = 86_400_000;

/** Lists the servers that share a database: addresses of the live ones, and those that have gone. */
export function createKnownServers(
  { clock, host: ownHost, store }: Pick<OpsDeps, 'clock' | 'host' | 'store'>,
  members: Pick<Members, 'isShared' | 'holder'>,
): Pick<ServiceWork, 'gone' | 'places' | 'holder'> {
  const hostOf = (host: string | null): string => host ?? ownHost ?? 'localhost';
  const placesOf = async (projects: readonly Slug[]): Promise<readonly ServerPlace[]> => {
    const [places, nodes] = await Promise.all([store.nodes.places(), store.nodes.list()]);
    const held = new Map<string | null, number>();
    for (const project of projects) {
      const holder = members.holder(project);
      held.set(holder, (held.get(holder) ?? 0) + 1);
    }
    return nodes.map(({ id }) => ({
      ...{ node: id, url: places.get(id)?.url ?? null, home: places.get(id)?.home ?? null },
      projects: held.get(id) ?? 0,
    }));
  };
  const goneOf = async (): Promise<readonly GoneServer[]> => {
    const gone = await store.nodes.gone(clock.now() - DAY_MS);
    const isBack = await backIn(store);
    // A server that was stopped and started again is not reported.
    const told = gone.filter(({ isLost, host, home }) => isLost || !isBack(host, home));
    return told.map(({ host, isLost, ...node }) => ({
      ...node,
      host: hostOf(host),
      how: isLost ? 'lost' : 'stopped',
    }));
  };
  return {
    gone: async () => (members.isShared ? goneOf() : []),
    places: async (projects) => (members.isShared ? placesOf(projects) : []),
    holder: (project) => (members.isShared ? members.holder(project) : null),
  };
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
