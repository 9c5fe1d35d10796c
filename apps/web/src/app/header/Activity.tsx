import { useQuery } from '@tanstack/react-query';
import { type JSX, Suspense } from 'react';
import { statusQuery } from '../../data/service.ts';
import { useUnseen } from '../../data/use-unseen.ts';
import { lazyComponent } from '../../parts/lazy-component.ts';

const Running = lazyComponent(async () => (await import('./Running.tsx')).Running);
const Unseen = lazyComponent(async () => (await import('./Unseen.tsx')).Unseen);

/** Shows the running turns and the unread runs; renders nothing where there are neither. */
export function Activity(): JSX.Element {
  const { data } = useQuery(statusQuery);
  const unseen = useUnseen();
  const turns = data?.running ?? [];
  const nodes = data?.nodes ?? [];
  const hosts = new Map(nodes.length > 1 ? nodes.map(({ id, host }) => [id, host]) : []);
  return (
    <>
      <Suspense fallback={null}>
        {turns.length === 0 ? null : <Running turns={turns} hosts={hosts} />}
      </Suspense>
      <Suspense fallback={null}>{unseen.length === 0 ? null : <Unseen runs={unseen} />}</Suspense>
    </>
  );
}
