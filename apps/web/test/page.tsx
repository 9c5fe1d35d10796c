import { createMemoryHistory } from '@tanstack/react-router';
import { configure, render } from '@testing-library/react';
import { App, createQueries } from '../src/app/App.tsx';
import { createPageRouter } from '../src/app/router.ts';

// What is waited for comes in its own time on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

/** Shows the page at an address; says where it stands. */
export function show(path: string): { path(): string } {
  const router = createPageRouter(createMemoryHistory({ initialEntries: [path] }));
  render(<App router={router} queries={createQueries()} />);
  return { path: () => router.state.location.pathname };
}
