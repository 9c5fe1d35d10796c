import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';

/** Renders the page at an address; `path` returns the current address. */
export function show(path: string): { path(): string } {
  const router = createPageRouter(createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} queries={createQueries()} />);
  return { path: () => router.state.location.pathname };
}
