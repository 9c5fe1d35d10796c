import type { AuthSettings } from '@svc/settings';

/** Command line for API requests, without secrets; null if only a proxy can send requests. */
export function curlOf(auth: AuthSettings): string | null {
  switch (auth.mode) {
    case 'token':
      return `curl -H "Authorization: Bearer $${auth.variable}"`;
    case 'jwt':
      return 'curl -H "Authorization: Bearer $TOKEN"';
    case 'trusted-header':
      return null;
    default:
      return 'curl';
  }
}

/** What the user must do before using `curlOf`; null: nothing. */
export function curlNote(auth: AuthSettings): string | null {
  switch (auth.mode) {
    case 'token':
      return `First set the shell variable ${auth.variable} to the access token.`;
    case 'jwt':
      return 'First set the shell variable TOKEN to a token of the identity provider.';
    case 'trusted-header':
      return 'Send requests through the proxy that signs users in: svc trusts no other source.';
    default:
      return null;
  }
}

/** The text at `/` for programs that do not accept HTML. */
export function welcome(parts: {
  readonly version: string;
  /** The origin of the request. */
  readonly origin: string;
  readonly auth: AuthSettings;
}): string {
  const { version, origin, auth } = parts;
  const curl = curlOf(auth);
  const note = curlNote(auth);
  const ask = curl === null ? [] : [`Example           ${curl} ${origin}/api/projects`];
  const lines = [
    `svc ${version} is running.`,
    '',
    `Projects          ${origin}/api/projects`,
    `OpenAPI           ${origin}/api/openapi.json`,
    `Readiness         ${origin}/readyz`,
    `Metrics           ${origin}/metrics`,
    '',
    ...ask,
    ...(note === null ? [] : [note]),
  ];
  return `${lines.join('\n')}\n`;
}
