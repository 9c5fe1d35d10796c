import type { ServiceNode } from '@svc/store';
import type { EngineDeps, SharedProcess } from '../deps.ts';
import { differencesOf } from './node-differences.ts';

interface TraitDeps extends Pick<EngineDeps, 'logger'> {
  readonly shared?: Pick<SharedProcess, 'traits'>;
  readonly store: { readonly nodes: Pick<EngineDeps['store']['nodes'], 'describe'> };
}

/** Publishes values that must match on all servers, and logs differences. */
export function createTraits({ logger, shared, store }: TraitDeps) {
  let published = '{}';
  let warned = '';
  return {
    /** Publishes them to other servers if they have changed. */
    async publish(): Promise<void> {
      const traits = shared?.traits?.() ?? {};
      const text = JSON.stringify(traits);
      if (text === published) return;
      await store.nodes.describe(traits);
      published = text;
    },
    /** Logs each difference once. */
    compare(nodes: readonly ServiceNode[]): void {
      const differences = differencesOf(nodes);
      const text = differences.join(' ');
      if (text === warned) return;
      warned = text;
      if (text === '') logger.info({}, 'settings match on all servers again');
      else logger.warn({ differences }, 'settings differ between servers');
    },
  };
}
