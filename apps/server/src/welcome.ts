import type { AuthSettings } from './auth-settings.ts';

/** How a program asks for an address, as a command line; null where only a proxy can. Never holds a secret. */
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

/** What `curlOf` needs to be known of; null where nothing does. */
export function curlNote(auth: AuthSettings): string | null {
  switch (auth.mode) {
    case 'token':
      return `Put the access token into the variable ${auth.variable} of your shell first.`;
    case 'jwt':
      return 'Put a token of the identity provider into the variable TOKEN of your shell first.';
    case 'trusted-header':
      return 'Ask through the proxy that signs people in: svc believes nobody else.';
    default:
      return null;
  }
}

/** What a program reads that asks for the page and takes no HTML. */
export function welcome(parts: {
  readonly version: string;
  /** Address under which the service was asked. */
  readonly origin: string;
  readonly auth: AuthSettings;
}): string {
  const { version, origin, auth } = parts;
  const curl = curlOf(auth);
  const note = curlNote(auth);
  const ask = curl === null ? [] : [`Ask it            ${curl} ${origin}/api/projects`];
  const lines = [
    `svc ${version} is running.`,
    '',
    `Projects          ${origin}/api/projects`,
    `What it offers    ${origin}/api/openapi.json`,
    `Is it well?       ${origin}/readyz`,
    `Figures           ${origin}/metrics`,
    '',
    ...ask,
    ...(note === null ? [] : [note]),
  ];
  return `${lines.join('\n')}\n`;
}
