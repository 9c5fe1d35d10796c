import type { JsonSchema } from '@svc/schema';
import { chatRoutes } from './chat-routes.ts';
import { EVENT_ROUTE } from './event-route.ts';
import { type DocumentOptions, openApiDocument } from './openapi.ts';
import { projectRoutes } from './project-routes.ts';
import { type Route, route } from './route.ts';
import { forecastRoutes, runRoutes } from './run-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { SESSION_FACTS } from './session-routes.ts';
import { promptFileRoutes, triggerChangingRoutes, triggerReadingRoutes } from './trigger-routes.ts';

/**
 * All routes except those of sessions and of the stream of changes. `document` is called for each request of the
 * document.
 */
export function restRoutes(document: () => JsonSchema): Route[] {
  return [
    ...triggerReadingRoutes(),
    ...triggerChangingRoutes(),
    ...promptFileRoutes(),
    ...runRoutes(),
    ...forecastRoutes(),
    ...projectRoutes(),
    ...chatRoutes(),
    ...serviceRoutes(),
    documentRoute(document),
  ];
}

/** The OpenAPI document of all routes. */
export function restDocument(options: DocumentOptions): JsonSchema {
  return openApiDocument([...restRoutes(() => ({})), EVENT_ROUTE, ...SESSION_FACTS], options);
}

function documentRoute(document: () => JsonSchema): Route {
  return route({
    method: 'get',
    path: '/openapi.json',
    operation: 'read_openapi',
    tag: 'service',
    status: 200,
    response: { type: 'object' },
    toReply: () => ({ body: document() }),
  });
}
