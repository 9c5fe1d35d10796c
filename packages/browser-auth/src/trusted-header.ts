import { type Identify, NOBODY, wrong } from './identity.ts';
import { type Roles, readName, roleOf } from './person.ts';
import type { GateRequest } from './request.ts';

/** A proxy that signs people in and says who they are. */
export interface TrustedHeaderOptions {
  readonly mode: 'trusted-header';
  /** Name of the header that holds the name of the person. */
  readonly header: string;
  /** Peers whose headers are believed. */
  readonly trustedProxies: { has(address: string | undefined): boolean };
  /** Name of the header that lists the roles of the person, parted by commas. Default: none. */
  readonly rolesHeader?: string | null;
  /** What roles allow. Default: whoever has a name may do everything. */
  readonly roles?: Roles | null;
}

/** Makes what reads the person out of a header of a proxy. */
export function createHeaderIdentify(options: TrustedHeaderOptions): Identify {
  const { header, trustedProxies, rolesHeader = null, roles = null } = options;
  return async (request) => {
    const [given, ...more] = valuesOf(request, header);
    if (given === undefined) return NOBODY;
    if (!trustedProxies.has(request.remoteAddress)) return wrong('not_a_trusted_proxy');
    // Whoever adds a header where a proxy only appends its own would choose a name.
    if (more.length > 0) return wrong('header_repeated');
    const name = readName(decoded(given));
    if (name === null) return wrong('name_unusable');
    const held = rolesHeader === null ? [] : valuesOf(request, rolesHeader);
    if (held.length > 1) return wrong('header_repeated');
    const listed = held.flatMap((list) => decoded(list).split(',')).map((role) => role.trim());
    return { kind: 'known', name, role: roleOf(roles, listed) };
  };
}

// Node joins repeated headers, so the lines themselves are counted where they are known.
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
