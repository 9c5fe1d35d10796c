import { CSPProvider } from '@base-ui/react/csp-provider';
import { ApiError } from '@svc/client';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import type { JSX } from 'react';
import { refreshOnRefusal } from '../data/session.ts';
import { LiveProvider } from './LiveProvider.tsx';

/**
 * Creates the query client. Requests that the service refused are not retried. Requests that cannot be sent fail at once:
 * none waits until the browser is online and is sent later without notice.
 */
export function createQueries(): QueryClient {
  const onError = (error: Error): void => refreshOnRefusal(queries, error);
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 30_000,
        retry: (count, error) => !(error instanceof ApiError) && count < 2,
      },
    },
  });
  return queries;
}

interface AppProps {
  readonly router: AnyRouter;
  readonly queries: QueryClient;
}

/** The root component of the page. */
export function App({ router, queries }: AppProps): JSX.Element {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <LiveProvider>
          <RouterProvider router={router} />
        </LiveProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
