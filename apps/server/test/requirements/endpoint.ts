import type { Rows } from './rows.ts';

/** The management endpoint: its answers, documents, authentication and refusals. */
export const ENDPOINT: Rows = {
  'endpoint.post': 'POST /mcp with a token is a JSON-RPC endpoint of the protocol.',
  'endpoint.other-methods':
    'GET and DELETE with a token are 405 with Allow: POST and a JSON-RPC error.',
  'endpoint.other-methods.unauthenticated': 'GET and DELETE without a valid token are 401.',
  'endpoint.document.inserted': 'The metadata document is public at the path-inserted address.',
  'endpoint.document.root': 'The same document is at the bare address.',
  'endpoint.stateless':
    'Every request has its own server and transport, bound to its principal; no state is kept.',
  'endpoint.introduction': 'The server introduces itself as svc, with the version of the package.',
  'endpoint.request-headers':
    'A request has a bearer token, JSON as its type, and accepts JSON and event streams.',
  'endpoint.request-body': 'The body is one JSON-RPC 2.0 message.',
  'endpoint.answer':
    'A success is 200 with one event named message, whose data is the response; not bare JSON.',
  'endpoint.not-the-page':
    '/mcp and /.well-known/ are 404 on an unconfigured instance, not the page.',

  'document.public': 'The document needs no authentication and is readable from every origin.',
  'document.cached': 'The document can be cached for 300 seconds.',
  'document.no-secret': 'The document never contains a secret.',
  'document.resource': 'resource is <publicUrl>/mcp, never derived from the Host header.',
  'document.authorization-servers': 'authorization_servers are the configured issuers.',
  'document.scopes-supported': 'scopes_supported are svc:read and svc:write.',
  'document.bearer-methods': 'bearer_methods_supported is header alone.',
  'document.resource-name': 'resource_name is a human-readable name of the management API.',
  'document.only-with-issuers':
    'The document is published only with issuers; otherwise both addresses are 404.',
  'document.both-forms':
    'The path-inserted form belongs to the resource, and both forms are served.',

  'auth.own':
    'The endpoint and its documents have their own authenticator, whatever the browser mode or proxy.',
  'auth.always':
    'The endpoint requires a credential even with auth.mode none, and works without a proxy.',
  'auth.bearer': 'The credential is a bearer token in the Authorization header, and nothing else.',
  'auth.only-config-tokens': 'Only configured tokens exist.',
  'auth.digests': 'Tokens are compared by digests of fixed width, in constant time.',
  'auth.every-client': 'Every client is compared, without an early exit.',
  'auth.min-length': 'A token has at least 24 characters, including its prefix.',
  'auth.min-length.dropped': 'A client with a shorter token is dropped with a warning.',
  'auth.binding.refused': 'A shaped token of another instance is refused.',
  'auth.binding.not-checked': 'Without instanceId a shaped token is accepted as it is.',
  'auth.binding.unbound': 'A token without a prefix works, with a warning.',
  'auth.token-form':
    'Tokens consist of tok_, the instance id and a random secret, joined by underscores.',
  'auth.before-body': 'The gate runs before the body is read.',
  'auth.every-method': 'The gate applies to every method: GET without a token is 401, not 405.',
  'auth.challenge': 'An unauthenticated request gets 401 with a challenge, never a redirect.',
  'auth.challenge.shape': 'The challenge is Bearer with the realm svc.',
  'auth.challenge.error':
    'It has invalid_token and a description, unless no credential was presented at all.',
  'auth.challenge.metadata': 'It names the path-inserted document, only if that is served.',
  'auth.secure':
    'A request is secure over TLS at the process, behind a trusted proxy that reports https, or from loopback.',
  'auth.insecure': 'Any other request is 403 insecure_transport.',
  'auth.published-port': 'A connection through the published port of a container is not loopback.',
  'auth.insecure-public-url':
    'A public address that is neither loopback nor https disables the endpoint at start.',

  'errors.order': 'Refusals come in the order of the gate.',
  'errors.off': '404 with error "not found" without clients or publicUrl.',
  'errors.insecure': '403 with code insecure_transport for plain text from other machines.',
  'errors.unauthorized':
    '401 with a challenge and code auth_required: missing, malformed or unknown.',
  'errors.method': '405 with Allow: POST and JSON-RPC -32000 after the gate.',
  'errors.unavailable': '503 with code ops_unavailable where there are no operations.',
  'errors.not-acceptable': '406 with JSON-RPC -32000 and its message, after the gate.',
  'errors.everything-else': '200 with an event stream for everything else, including tool errors.',
  'errors.documents': 'Documents are 404 without issuers, or while the endpoint is off.',
  'errors.unknown-tool':
    'A tool that is out of scope or does not exist: a tool error, Unknown tool: <name>.',
  'errors.denied': 'A denied operation or project: isError with the denial message.',

  'versions.server': 'initialize reports the version of the package.',
  'versions.credentials':
    'Only token credentials are supported; other types are configuration errors.',
  'versions.one-toolset': 'The endpoint has the toolset of keepers, without a second definition.',
};
