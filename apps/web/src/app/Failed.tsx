import { type AnyRoute, type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { type JSX, useEffect } from 'react';
import { Heading } from '../parts/Heading.tsx';
import { Trouble } from '../parts/Waiting.tsx';

/** What stands at an address that leads nowhere. */
export function Nowhere(): JSX.Element {
  return (
    <>
      <Heading title="Page not found" />
      <p>
        It may have been renamed or removed. <Link to="/">Go to the overview</Link>
      </p>
    </>
  );
}

const AGAIN_MS = 2000;

/** What stands in place of a view that has failed. The view is asked for again every two seconds, until it is there. */
export function Failed({ error }: ErrorComponentProps): JSX.Element {
  const router = useRouter();
  useEffect(() => {
    const again = async (): Promise<void> => {
      const { matches } = router.state;
      const routes = router.routesById as Readonly<Record<string, AnyRoute>>;
      const views = matches.map(({ routeId }) => routes[routeId]?.options.component);
      // What could not be loaded stays failed until it is preloaded.
      await Promise.all(views.map((view) => view?.preload?.()));
      await router.invalidate();
    };
    const timer = setInterval(() => void again(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [router]);
  return <Trouble error={error instanceof Error ? error : new Error(String(error))} />;
}
