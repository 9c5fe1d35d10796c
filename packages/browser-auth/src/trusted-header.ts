import { type Identify, NO_CREDENTIAL, wrong } from './identity.ts';
import { type Roles, readName, roleOf } from './person.ts';
import type { GateRequest } from './request.ts';

/** A proxy that signs users in and sends their names. */
export interface TrustedHeaderOptions {
  readonly mode: 'trusted-header';
  /** Name of the header with the name of the user. */
  readonly header: string;
  /** Peers whose headers are trusted. */
  readonly trustedProxies: { has(address: string | undefined): boolean };
  /** Name of the header with the roles of the user, separated by commas. Default: none. */
  readonly rolesHeader?: string | null;
  /** What roles allow. Default: every named user may do everything. */
  readonly roles?: Roles | null;
}

/** Creates a function that identifies the user from a header of a proxy. */
export function createHeaderIdentify(options: TrustedHeaderOptions): Identify {
  const { header, trustedProxies, rolesHeader = null, roles = null } = options;
  return async (request) => {
    const [given, ...more] = valuesOf(request, header);
    if (given === undefined) return NO_CREDENTIAL;
    if (!trustedProxies.has(request.remoteAddress)) return wrong('not_a_trusted_proxy');
    // If a proxy only appends its header, a client could add its own and choose a name.
    if (more.length > 0) return wrong('header_repeated');
    const name = readName(decoded(given));
    if (name === null) return wrong('name_unusable');
    const held = rolesHeader === null ? [] : valuesOf(request, rolesHeader);
    if (held.length > 1) return wrong('header_repeated');
    const listed = held.flatMap((list) => decoded(list).split(',')).map((role) => role.trim());
    return { kind: 'known', name, role: roleOf(roles, listed) };
  };
}

// Node joins repeated headers, so the raw lines are counted if they are available.
function valuesOf({ headers, rawHeaders }: GateRequest, header: string): string[] {
  const name = header.toLowerCase();
  if (rawHeaders === undefined) return [headers[name] ?? []].flat();
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

// Node reads headers as Latin-1; proxies send names in UTF-8.
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const utf8 = bytes.toString('utf8');
  return Buffer.from(utf8, 'utf8').equals(bytes) ? utf8 : text;
}
