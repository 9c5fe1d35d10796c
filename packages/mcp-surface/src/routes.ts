import type { IncomingMessage } from 'node:http';
import { type ManagementConfig, metadataPaths } from '@svc/mgmt-auth';

/** What a path is: the endpoint, a published document, nothing (but ours to say so), or somebody else's. */
type Route = 'endpoint' | 'document' | 'nothing' | 'elsewhere';

/** Tells routes apart by the text of the path alone: nothing is decoded, folded or resolved. */
export type Router = (target: string) => Route;

/** Makes the router of a configuration. */
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

/** The target as the client sent it, also where Express has cut a mount path off. */
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
