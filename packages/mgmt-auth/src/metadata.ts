import type { ManagementConfig } from './config.ts';
import { pathOf } from './public-url.ts';

/** Protected-resource metadata (RFC 9728). */
export interface MetadataDocument {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_name: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The headers of the document: readable from every web page, cached for five minutes. */
export const metadataHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
};

/** The document, which contains no secret; null without authorization servers. */
export function metadataDocument(
  config: ManagementConfig | null,
  scopesSupported: readonly string[] = ['svc:read', 'svc:write'],
): MetadataDocument | null {
  if (config === null || config.authorizationServers.length === 0) return null;
  return {
    resource: `${config.publicUrl}/mcp`,
    authorization_servers: config.authorizationServers,
    scopes_supported: scopesSupported,
    bearer_methods_supported: ['header'],
    resource_name: 'svc management API',
  };
}

/** The paths of the document, the path of the resource first; empty if there is no document. */
export function metadataPaths(config: ManagementConfig | null): string[] {
  const own = config === null ? null : resourcePath(config);
  return own === null ? [] : [...new Set([own, `${WELL_KNOWN}/mcp`, WELL_KNOWN])];
}

/** The URL in the challenge; null if there is no document. */
export function metadataUrl(config: ManagementConfig): string | null {
  const path = resourcePath(config);
  return path === null ? null : new URL(config.publicUrl).origin + path;
}

function resourcePath(config: ManagementConfig): string | null {
  if (config.authorizationServers.length === 0) return null;
  return `${WELL_KNOWN}${pathOf(new URL(config.publicUrl))}/mcp`;
}
