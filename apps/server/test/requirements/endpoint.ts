import type { Rows } from './rows.ts';

/** The management endpoint: its answers, documents, authentication and refusals. */
export const ENDPOINT: Rows = {
  'endpoint.post': 'POST /mcp with a token is a JSON-RPC endpoint of the protocol.',
  'endpoint.other-methods':
    'GET and DELETE with a token are 405 with Allow: POST and a JSON-RPC error.',
  'endpoint.other-methods.unauthenticated': 'GET and DELETE without a valid token are 401.',
  'endpoint.document.inserted':
    'The metadata document is at the path-inserted address, for everybody.',
  'endpoint.document.root': 'The same document is at the bare address.',
  'endpoint.stateless':
    'Every request has a server and transport of its own, bound to its principal; nothing is kept.',
  'endpoint.introduction': 'The server introduces itself as svc, with the version of the package.',
  'endpoint.request-headers':
    'A request has a bearer token, JSON as its type, and accepts JSON and event streams.',
  'endpoint.request-body': 'The body is one JSON-RPC 2.0 message.',
  'endpoint.answer':
    'A success is 200 with one event named message, whose data is the response; not bare JSON.',
  'endpoint.not-the-page':
    '/mcp and /.well-known/ are 404 on an unconfigured instance, not the page.',

  'document.public': 'The document needs no authentication and is readable from every origin.',
  'document.cached': 'The document may be kept for 300 seconds.',
  'document.no-secret': 'The document never holds a secret.',
  'document.resource': 'resource is <publicUrl>/mcp, never made of the Host header.',
  'document.authorization-servers': 'authorization_servers are the configured issuers.',
  'document.scopes-supported': 'scopes_supported are svc:read and svc:write.',
  'document.bearer-methods': 'bearer_methods_supported is header alone.',
  'document.resource-name': 'resource_name names the management API for people.',
  'document.only-with-issuers':
    'The document is published only with issuers; else both addresses are 404.',
  'document.both-forms':
    'The path-inserted form belongs to the resource, and both forms are served.',

  'auth.own':
    'The endpoint and its documents have an authenticator of their own, whatever the browser mode or proxy.',
  'auth.always':
    'The endpoint asks for a credential even with auth.mode none, and works without a proxy.',
  'auth.bearer': 'The credential is a bearer token in the Authorization header, and nothing else.',
  'auth.only-config-tokens': 'Only tokens of the configuration exist.',
  'auth.digests': 'Tokens are compared by digests of fixed width, in constant time.',
  'auth.every-client': 'Every client is looked at, without an early exit.',
  'auth.min-length': 'A token has 24 characters or more, its prefix included.',
  'auth.min-length.dropped': 'A client with a shorter token is dropped with a warning.',
  'auth.binding.refused': 'A shaped token of another instance is refused.',
  'auth.binding.not-checked': 'Without instanceId a shaped token is accepted as it is.',
  'auth.binding.unbound': 'A token without a prefix works, with a warning.',
  'auth.token-form':
    'Tokens are made as tok_, the instance id and a random secret, joined by underscores.',
  'auth.before-body': 'The gate runs before the body is read.',
  'auth.every-method': 'The gate looks at every method: GET without a token is 401, not 405.',
  'auth.challenge': 'Whoever is not authenticated gets 401 with a challenge, never a redirect.',
  'auth.challenge.shape': 'The challenge is Bearer with the realm svc.',
  'auth.challenge.error':
    'It has invalid_token and a description, unless no credential was presented at all.',
  'auth.challenge.metadata': 'It names the path-inserted document, only where that is served.',
  'auth.secure':
    'A request is secure over TLS at the process, behind a proxy that says https, or from loopback.',
  'auth.insecure': 'Any other request is 403 insecure_transport.',
  'auth.published-port': 'What comes through the published port of a container is not loopback.',
  'auth.insecure-public-url':
    'A public address that is neither loopback nor https switches the endpoint off at start.',

  'errors.order': 'Refusals come in the order of the gate.',
  'errors.off': '404 with error "not found" without clients or publicUrl.',
  'errors.insecure': '403 with code insecure_transport in plain text from afar.',
  'errors.unauthorized':
    '401 with a challenge and code auth_required: missing, malformed or unknown.',
  'errors.method': '405 with Allow: POST and JSON-RPC -32000 after the gate.',
  'errors.unavailable': '503 with code ops_unavailable where there are no operations.',
  'errors.not-acceptable': '406 with JSON-RPC -32000 and its sentence, after the gate.',
  'errors.everything-else':
    '200 with an event stream for everything else, errors of tools included.',
  'errors.documents': 'Documents are 404 without issuers, or while the endpoint is off.',
  'errors.unknown-tool':
    'A tool out of scope or not there: an error of the tool, Unknown tool: <name>.',
  'errors.denied':
    'An operation or project that is denied: isError with the sentence of the denial.',

  'versions.server': 'initialize tells the version of the package.',
  'versions.credentials': 'Only token credentials are there; other types are configuration errors.',
  'versions.one-toolset': 'The endpoint has the toolset of keepers, without a second definition.',
};
