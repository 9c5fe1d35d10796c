import { CSPProvider } from '@base-ui/react/csp-provider';
import { ApiError } from '@svc/client';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import type { JSX } from 'react';
import { noteRefusal } from '../data/session.ts';
import { LiveProvider } from './LiveProvider.tsx';

/**
 * Makes what keeps the answers of the service; what is refused in words is not asked for again. What cannot be sent fails at
 * once: nothing waits for the browser to be online, to happen later without notice.
 */
export function createQueries(): QueryClient {
  const onError = (error: Error): void => noteRefusal(queries, error);
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

/** The page. */
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
