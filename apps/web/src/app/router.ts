import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { readChatFilter, readEventFilter, readRunFilter } from '../model/filters.ts';
import { localPath } from '../model/local-path.ts';
import { OverviewView } from '../views/overview/OverviewView.tsx';
import { ProjectTabs } from '../views/ProjectTabs.tsx';
import { TriggersView } from '../views/triggers/TriggersView.tsx';
import { FailedView, UnknownAddress } from './FailedView.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: UnknownAddress });

const overview = createRoute({ getParentRoute: () => root, path: '/', component: OverviewView });

const tabs = createRoute({ getParentRoute: () => root, id: 'tabs', component: ProjectTabs });

const triggers = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug',
  component: TriggersView,
});

// The triggers are the first view of a project, so the longer address redirects to it.
const triggerList = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/triggers',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$slug', params, replace: true });
  },
});

// Other views are loaded when the user is about to open them.

const chatsView = lazyRouteComponent(() => import('../views/chats/ChatsView.tsx'), 'ChatsView');

const runs = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/runs',
  component: lazyRouteComponent(() => import('../views/runs/RunsView.tsx'), 'RunsView'),
  validateSearch: readRunFilter,
});
const events = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/events',
  component: lazyRouteComponent(() => import('../views/events/EventsView.tsx'), 'EventsView'),
  validateSearch: readEventFilter,
});
const chats = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/chats',
  component: chatsView,
  validateSearch: readChatFilter,
});
const chat = createRoute({
  getParentRoute: () => tabs,
  path: '/projects/$slug/chats/$sessionId',
  component: chatsView,
  validateSearch: readChatFilter,
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/runs/$runId',
  component: lazyRouteComponent(() => import('../views/runs/RunView.tsx'), 'RunView'),
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
const why = createRoute({
  getParentRoute: () => root,
  path: '/projects/$slug/triggers/$name/why',
  component: lazyRouteComponent(() => import('../views/why/WhyView.tsx'), 'WhyView'),
  validateSearch: ({ at }): { at?: string } =>
    typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at } : {},
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../views/settings/SettingsView.tsx'), 'SettingsView'),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../views/sign-in/SignInView.tsx'), 'SignInView'),
  validateSearch: ({ next }): { next?: string } => {
    const path = localPath(next, location.origin);
    return path === null ? {} : { next: path };
  },
});

const routeTree = root.addChildren([
  overview,
  tabs.addChildren([triggers, runs, events, chats, chat]),
  triggerList,
  run,
  newTrigger,
  trigger,
  why,
  settings,
  signIn,
]);

/** Creates the router; without a history it follows the address of the browser. */
export function createPageRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: FailedView,
    scrollRestoration: true,
    ...(history && { history }),
  });
  router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
    // On the first page the focus stays where the browser puts it.
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
