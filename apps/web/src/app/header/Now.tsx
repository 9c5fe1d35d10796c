import { useQuery } from '@tanstack/react-query';
import { type JSX, lazy, Suspense } from 'react';
import { statusQuery } from '../../data/service.ts';
import { useUnseen } from '../../data/use-unseen.ts';

const Running = lazy(async () => ({ default: (await import('./Running.tsx')).Running }));
const Unseen = lazy(async () => ({ default: (await import('./Unseen.tsx')).Unseen }));

/** What runs now and what has ended unseen; nothing where there is neither. */
export function Now(): JSX.Element {
  const { data } = useQuery(statusQuery);
  const unseen = useUnseen();
  const turns = data?.running ?? [];
  return (
    <>
      <Suspense fallback={null}>{turns.length === 0 ? null : <Running turns={turns} />}</Suspense>
      <Suspense fallback={null}>{unseen.length === 0 ? null : <Unseen runs={unseen} />}</Suspense>
    </>
  );
}
