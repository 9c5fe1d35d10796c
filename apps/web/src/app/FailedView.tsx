import { type AnyRoute, type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { type JSX, useEffect } from 'react';
import { Heading } from '../parts/Heading.tsx';
import { ErrorNotice } from '../parts/Loading.tsx';

/** The view for an address that matches no route. */
export function UnknownAddress(): JSX.Element {
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

/** Replaces a view that failed, and reloads the view every two seconds until it works. */
export function FailedView({ error }: ErrorComponentProps): JSX.Element {
  const router = useRouter();
  useEffect(() => {
    const again = async (): Promise<void> => {
      const { matches } = router.state;
      const routes = router.routesById as Readonly<Record<string, AnyRoute>>;
      const views = matches.map(({ routeId }) => routes[routeId]?.options.component);
      // A module that failed to load is loaded again only by a preload.
      await Promise.all(views.map((view) => view?.preload?.()));
      await router.invalidate();
    };
    const timer = setInterval(() => void again(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [router]);
  return <ErrorNotice error={error instanceof Error ? error : new Error(String(error))} />;
}
