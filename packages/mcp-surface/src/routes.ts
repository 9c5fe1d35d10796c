import type { IncomingMessage } from 'node:http';
import { type ManagementConfig, metadataPaths } from '@svc/mgmt-auth';

/**
 * The kind of a path: the endpoint, a published document, an unknown path below one of these, or a path of the
 * application.
 */
type Route = 'endpoint' | 'document' | 'nothing' | 'elsewhere';

/** Routes by the text of the path: nothing is decoded, normalized or resolved. */
export type Router = (target: string) => Route;

/** Creates the router of a configuration. */
export function createRouter(config: ManagementConfig | null): Router {
  const base = config === null ? '' : pathOf(config.publicUrl).replace(/\/$/, '');
  const endpoints = new Set(['/mcp', `${base}/mcp`]);
  const documents = new Set(metadataPaths(config));
  const prefixes = [...[...endpoints].map((path) => `${path}/`), '/.well-known/'];
  return (target) => {
    if (endpoints.has(target)) return 'endpoint';
    const path = pathOf(target);
    if (endpoints.has(path)) return 'endpoint';
    if (documents.has(path)) return 'document';
    return prefixes.some((prefix) => path.startsWith(prefix)) ? 'nothing' : 'elsewhere';
  };
}

/** The target as the client sent it, even if Express has removed a mount path. */
export function targetOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '';
}

// A target may be a whole URL (RFC 9112, 3.2.2).
function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  if (path.startsWith('/')) return path;
  return path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
}
