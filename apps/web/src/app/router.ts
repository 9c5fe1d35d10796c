import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import { OverviewView } from '../views/overview/OverviewView.tsx';
import { ProjectTabs } from '../views/ProjectTabs.tsx';
import { TriggersView } from '../views/triggers/TriggersView.tsx';
import { Failed, Nowhere } from './Failed.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: Nowhere });

const overview = createRoute({ getParentRoute: () => root, path: '/', component: OverviewView });

const tabs = createRoute({ getParentRoute: () => root, id: 'tabs', component: ProjectTabs });

const triggers = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug',
  component: TriggersView,
});

// What is not seen first is loaded when somebody is about to go there.
const notBuilt = lazyRouteComponent(() => import('../views/NotBuiltView.tsx'), 'NotBuiltView');

const runs = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/runs',
  component: notBuilt,
});
const chats = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/chats',
  component: notBuilt,
});
const chat = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/chats/$sessionId',
  component: notBuilt,
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/runs/$runId',
  component: notBuilt,
});
const newTrigger = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/triggers/new',
  component: lazyRouteComponent(() => import('../views/editor/EditorView.tsx'), 'NewTriggerView'),
  validateSearch: ({ from }): { from?: string } => (typeof from === 'string' ? { from } : {}),
});
const trigger = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/triggers/$name',
  component: lazyRouteComponent(() => import('../views/editor/EditorView.tsx'), 'TriggerView'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: notBuilt,
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: notBuilt,
  validateSearch: ({ next }): { next?: string } => (isOwnPath(next) ? { next } : {}),
});

// Two slashes begin an address of somebody else.
function isOwnPath(next: unknown): next is string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next);
}

const routeTree = root.addChildren([
  overview,
  tabs.addChildren([triggers, runs, chats, chat]),
  run,
  newTrigger,
  trigger,
  settings,
  signIn,
]);

/** Makes the router; without a history it follows the address of the browser. */
export function createPageRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: Failed,
    scrollRestoration: true,
    ...(history && { history }),
  });
  router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
    // The first page keeps the focus where a browser puts it.
    if (fromLocation === undefined || !pathChanged) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
